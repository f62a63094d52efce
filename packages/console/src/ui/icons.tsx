import type { JSX } from 'preact';
import type { ICON_PATHS } from './icon-paths';

export type IconName = keyof typeof ICON_PATHS;

/** An icon of index.html. It is decoration, because words say the same. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }): JSX.Element => (
  <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
    <use href={`#icon-${name}`} />
  </svg>
);
