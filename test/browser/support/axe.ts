import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

const SOURCE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the findings of axe. Its script enters through the debugger, past the page's policy. */
export const axeViolations = async (page: Page): Promise<string[]> => {
  await page.evaluate(SOURCE);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run: () => Promise<AxeResult> } }).axe.run(),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary = '' }) => {
      const why = failureSummary.replaceAll(/\s+/g, ' ').slice(0, 200);
      return `${id}: ${html.slice(0, 160)} (${why})`;
    }),
  );
};
