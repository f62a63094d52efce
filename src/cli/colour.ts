import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/**
 * True if the output is coloured: on a terminal or with FORCE_COLOR, unless NO_COLOR (no-color.org)
 * is set.
 */
export const hasColour = (
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>> = process.env,
): boolean => {
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return false;
  return stream.isTTY === true || (env['FORCE_COLOR'] ?? '0') !== '0';
};

const createPainter =
  (style: Style) =>
  (text: string): string =>
    hasColour(process.stdout) ? styleText(style, text) : text;

export const green = createPainter('green');
export const red = createPainter('red');
export const yellow = createPainter('yellow');
export const bold = createPainter('bold');
export const dim = createPainter('dim');
