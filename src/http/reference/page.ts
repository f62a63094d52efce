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
  <nav aria-label="Reference">
    <a href="/">Start</a> <a href="/docs">API reference</a> <a href="/docs/events">Events</a>
    <a href="/docs/errors">Errors</a>
  </nav>
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

export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --link: light-dark(#1f49d6, #8fb0ff); }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0; }
nav { padding: .8rem 1.2rem; border-bottom: 1px solid var(--line); display: flex; gap: 1.2rem; flex-wrap: wrap; }
main { max-width: 62rem; margin: 0 auto; padding: 1rem 1.2rem 4rem; }
a { color: var(--link); }
code, pre { font: .88em/1.5 ui-monospace, monospace; }
pre { background: var(--soft); padding: .8rem 1rem; overflow: auto; border-radius: .5rem; max-height: 26rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:target, section:target { background: light-dark(#fff3c4, #4a4013); }
section { border-top: 1px solid var(--line); padding-top: .5rem; margin-top: 1.5rem; }
summary { cursor: pointer; padding: .2rem 0; }
ul.types { columns: 19rem; padding-left: 1.2rem; }
`;
