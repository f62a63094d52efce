import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const OUTPUT = /(?:^|\/)(?:node_modules|dist|\.git|data)(?:\/|$)/;

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Returns the files below a folder of the repository, without what builds and installs create. */
const listFilesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (OUTPUT.test(path)) return [];
    return entry.isDirectory() ? listFilesBelow(path) : [path];
  });

const files = listFilesBelow('.');
const folders = [...new Set(files.flatMap((file) => listParents(file)))];

/** Returns the folders that contain a file, each with a slash at its end. */
function listParents(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, i) => `${parts.slice(0, i + 1).join('/')}/`);
}

/** Returns the paths that `a/{b,c}.ts` stands for. */
const expandBraces = (path: string): string[] => {
  const [, before = '', options = '', after = ''] = /^(.*?)\{([^}]*)\}(.*)$/.exec(path) ?? [];
  if (options === '') return [path];
  return options.split(',').flatMap((each) => expandBraces(`${before}${each}${after}`));
};

/**
 * True if a file or folder has this path or ends with it. `<name>` and `*` are any name. A path that
 * begins with a dot may be the end of a name.
 */
const exists = (path: string): boolean => {
  const pattern = path.replaceAll(/[.+()[\]$^]/g, '\\$&').replaceAll(/<[^>]+>|\*/g, '[^/]*');
  const end = new RegExp(path.startsWith('.') ? `${pattern}$` : `(?:^|/)${pattern}$`);
  return (path.endsWith('/') ? folders : files).some((each) => end.test(each));
};

const documents = files.filter((file) => /^(?:docs\/)?[\w-]+\.md$/.test(file));

/** Files that a document names and that exist only where the service runs. */
const ELSEWHERE =
  /^(?:data|\.\/data|DATA_DIR|dist|backup|eventstore|sql|mail)\b|^\/|^[\w-]+\.json$/;

describe('the documents', () => {
  it.each(documents)('name files and folders that exist: %s', (document) => {
    const named = [...read(document).matchAll(/`([\w./<>{}*,-]+(?:\.(?:ts|tsx|md|cjs)|\/))`/g)]
      .map(([, path = '']) => path)
      .filter((path) => !ELSEWHERE.test(path));
    expect(named.flatMap(expandBraces).filter((path) => !exists(path))).toEqual([]);
  });

  it('link to files that exist', () => {
    const links = documents.flatMap((document) =>
      [...read(document).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, link = '']) =>
        join(document, '..', link),
      ),
    );
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !files.includes(link) && !folders.includes(`${link}/`))).toEqual(
      [],
    );
  });

  it('draw the path of an event with files that exist', () => {
    const [, drawn = ''] =
      /## The path of an event\n([^]*?)\n## /.exec(read('ARCHITECTURE.md')) ?? [];
    const named = [...drawn.matchAll(/(?<![\w/])[\w<>*.-]+(?:\/[\w<>*.-]+)+/g)].map(
      ([path]) => path,
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !exists(`${path}.ts`) && !exists(`${path}/`))).toEqual([]);
  });

  it('contain every decision that the code cites', () => {
    const decided = new Set(read('docs/decisions.md').match(/\bD-\d+\b/g));
    const cited = files
      .filter((file) => /\.(?:ts|tsx|sql|mjs)$/.test(file))
      .flatMap((file) => read(file).match(/\bD-\d+\b/g) ?? []);
    expect(cited.length).toBeGreaterThan(100);
    expect(cited.filter((each) => !decided.has(each))).toEqual([]);
  });

  it('are compared with files, and a name that no file has is found', () => {
    expect(exists('domain/<noun>/<noun>.events.ts')).toBe(true);
    expect(expandBraces('src/{kernel,nothing}/').map(exists)).toEqual([true, false]);
    expect(exists('kernel/nothing.ts')).toBe(false);
  });
});
