// Compiles the sources twice: ES modules for `import`, CommonJS for `require`. Comments are for
// readers of the types, not for those who load the code.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minifySync } from '@swc/core';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const project = ['--project', join(root, 'tsconfig.build.json')];

const compile = (name, ...options) => {
  const outDir = join(root, 'dist', name);
  const { status } = spawnSync(
    process.execPath,
    [tsc, ...project, '--outDir', outDir, ...options],
    { stdio: 'inherit' },
  );
  if (status !== 0) process.exit(status ?? 1);
  return outDir;
};

const filesBelow = (dir) =>
  readdirSync(dir, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(dir, entry.name)) : [join(dir, entry.name)],
  );

rmSync(join(root, 'dist'), { recursive: true, force: true });

const codeOnly = ['--removeComments', '--declaration', 'false'];
const asModules = ['--module', 'es2022', '--moduleResolution', 'bundler'];
const cjs = compile('cjs', ...codeOnly, '--module', 'commonjs', '--moduleResolution', 'node10');
writeFileSync(join(cjs, 'package.json'), '{ "type": "commonjs" }\n');

const esm = compile('esm', ...codeOnly, ...asModules);
writeFileSync(join(esm, 'package.json'), '{ "type": "module" }\n');

compile('esm', '--emitDeclarationOnly', ...asModules);
for (const file of filesBelow(esm).filter((each) => each.endsWith('.d.ts'))) {
  cpSync(file, file.replace(esm, cjs));
}

// White space and comments go, and statements are shortened. Names and functions stay, and
// statements begin new lines, so that a stack trace can be read: Node.js prints the line that has
// thrown.
const compress = { keep_fnames: true, keep_classnames: true, inline: 0, reduce_funcs: false };
const BREAKS = [
  /(?<=;)(?=(?:const|let|if|for|throw|return|try|export|this)\b)/g,
  /(?<=[}{])(?=(?:async|let|if|try|throw|return|catch|export|get)\b)/g,
  /(?<=\},)(?=\w+=)/g,
];
const insertLineBreaks = (code) => BREAKS.reduce((text, place) => text.replace(place, '\n'), code);

for (const [dir, module] of [
  [cjs, false],
  [esm, true],
]) {
  for (const file of filesBelow(dir).filter((each) => each.endsWith('.js'))) {
    const text = readFileSync(file, 'utf8');
    const { code } = minifySync(text, { module, compress, mangle: false });
    writeFileSync(file, insertLineBreaks(code));
  }
}

// ES modules name files with their extension.
for (const file of filesBelow(esm).filter((each) => /\.(js|d\.ts)$/.test(each))) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(/(from ?|import\()(['"])(\.[^'"]+?)\2/g, '$1$2$3.js$2'));
}
