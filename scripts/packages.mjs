// The packages of this repository (npm workspaces), each after those that it depends on.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = new URL('../packages/', import.meta.url).pathname;

const readPackage = (dir) => ({
  dir,
  manifest: JSON.parse(readFileSync(join(dir, 'package.json'))),
});

const dependenciesOf = ({ manifest }) => [
  ...Object.keys(manifest.dependencies ?? {}),
  ...Object.keys(manifest.devDependencies ?? {}),
];

/** Adds a package after the packages that it depends on. */
const addInOrder = (ordered, pkg, all) => {
  if (ordered.includes(pkg)) return;
  const names = dependenciesOf(pkg);
  for (const other of all.filter(({ manifest }) => names.includes(manifest.name))) {
    addInOrder(ordered, other, all);
  }
  ordered.push(pkg);
};

/** `{ dir, manifest }` of each package that has a `build` script, in the order to build them in. */
export const packagesToBuild = () => {
  const all = readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((dir) => existsSync(join(dir, 'package.json')))
    .map(readPackage);
  const ordered = [];
  for (const pkg of all) addInOrder(ordered, pkg, all);
  return ordered.filter(({ manifest }) => manifest.scripts?.build !== undefined);
};
