/** The bar of links at the top of every page of the reference. */
export const NAVIGATION = `<nav aria-label="Reference">
    <a href="/">Start</a> <a href="/docs">API reference</a> <a href="/docs/events">Events</a>
    <a href="/docs/errors">Errors</a>
  </nav>`;

/** Builds the common parts of all pages of the reference: title, style and links. */
export const createPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}: Subscription Event and Management Service</title>
  <link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
  <link rel="stylesheet" href="/docs/pages.css">
</head>
<body>
  ${NAVIGATION}
  <main>
${body}
  </main>
</body>
</html>
`;

/** Escapes text for HTML. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Converts a sentence to HTML. Words in backticks become code. */
export const renderProse = (text: string): string =>
  escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#2f5bea"/><path d="M4 8h8M9 5l3 3-3 3" stroke="#fff" stroke-width="1.6" fill="none" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** The look of the console, for pages without scripts. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#fbfbfc, #101014);
  --surface: light-dark(#fff, #17171c);
  --sunken: light-dark(#f4f4f6, #1b1b21);
  --line: light-dark(#e6e6ea, #2a2a33);
  --ink: light-dark(#17171c, #f1f1f5);
  --ink-2: light-dark(#55555f, #b6b6c2);
  --accent: light-dark(#4b47d6, #8b88ff);
  --accent-soft: light-dark(#eeeefc, #25244a);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 15px/1.6 ui-sans-serif, system-ui, sans-serif; }
nav { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; padding: .8rem 1.4rem; background: var(--bg); border-bottom: 1px solid var(--line); }
nav a { color: var(--ink-2); font-weight: 550; }
main { max-width: 62rem; margin: 0 auto; padding: 1.4rem 1.4rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.25; letter-spacing: -.015em; }
h2 { font-size: 1.15rem; overflow-wrap: anywhere; }
h2 code { overflow-wrap: anywhere; }
h2 a { color: var(--ink); }
a { color: var(--accent); text-decoration: none; }
a:hover, p a { text-decoration: underline; text-underline-offset: 2px; }
p { max-width: 46rem; color: var(--ink-2); }
code, pre { font: .88em/1.55 ui-monospace, monospace; overflow-wrap: break-word; }
pre { margin: .5rem 0; padding: .8rem 1rem; max-height: 26rem; overflow: auto; overflow-wrap: normal; white-space: pre; background: var(--sunken); border: 1px solid var(--line); border-radius: .5rem; }
table { width: 100%; border-collapse: collapse; }
th { font-weight: 550; color: var(--ink-2); }
th, td { padding: .45rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
section { margin-top: 1.2rem; padding: .2rem 1.2rem 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: .75rem; scroll-margin-top: 4rem; }
tr:target { background: var(--accent-soft); }
section:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
tr { scroll-margin-top: 4rem; }
summary { padding: .3rem 0; cursor: pointer; font-weight: 550; }
ul.types { columns: 19rem; padding: 0; list-style: none; }
ul.types > li { break-inside: avoid; margin-bottom: 1rem; color: var(--ink-2); font-weight: 550; }
ul.types ul { padding: 0; list-style: none; font-weight: 400; }
ul.pages { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: 1rem; padding: 0; list-style: none; }
ul.pages li { padding: 1rem 1.2rem; background: var(--surface); border: 1px solid var(--line); border-radius: .75rem; color: var(--ink-2); }
ul.pages a { display: block; font-weight: 600; }
@media (max-width: 700px) {
  nav { gap: .3rem 1rem; padding: .8rem 1rem; font-size: .92em; }
  main { padding: 1rem 1rem 3rem; }
  section { padding: .2rem .9rem .8rem; }
  thead { display: none; }
  tr, td { display: block; }
  tr { padding: .6rem 0; border-bottom: 1px solid var(--line); }
  td { padding: .1rem 0; border: 0; }
}
`;
