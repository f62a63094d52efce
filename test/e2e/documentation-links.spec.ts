import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ROOT = join(__dirname, '../..');

const listPages = (): string[] => [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  'packages/sdk/README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** Returns the text of a page without its code. */
const readText = (page: string): string =>
  readFileSync(join(ROOT, page), 'utf8').replaceAll(/^```[^]*?^```$/gm, '');

/** Returns the anchor that GitHub gives to a heading. */
const createAnchor = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

const listAnchors = (page: string): string[] =>
  [...readText(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => createAnchor(heading));

/** Returns the links of a page that lead nowhere. Those to other sites are not followed. */
const listDeadLinks = (page: string): string[] =>
  [...readText(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^([a-z]+:|\/)/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : normalize(join(dirname(page), path));
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !listAnchors(target).includes(anchor);
    })
    .map((link) => `${page}: ${link}`);

describe('the links of the documentation', () => {
  it('lead to files and headings that exist', () => {
    expect(listPages().flatMap(listDeadLinks)).toEqual([]);
  });
});
