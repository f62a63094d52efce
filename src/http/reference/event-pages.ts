import { toPublishedSchema } from '../../event-store/catalogue';
import type { Json } from '../../kernel/json';
import { type EventReference, type EventTypeFacts, PRIVACY_MODES } from './event-reference';
import { escapeHtml, createPage, renderProse } from './page';

/**
 * Builds the catalogue of events: for each the situation, the schema, and an example in each
 * privacy mode.
 */
export const createEventsPage = ({ types }: EventReference): string =>
  createPage(
    'Events',
    `<h1>Event catalogue</h1>
<p>Every event that a destination can receive. An event is delivered as a signed HTTP POST request;
the chapter Webhooks of the <a href="/docs">API reference</a> says how to verify it. The examples are
what a destination of each privacy mode receives: <code>full</code> with the e-mail address and free
text, <code>hashed_only</code> without them, <code>minimal</code> with ids alone. <code>subscriber.created_at</code> is the time when the first
subscription became active or its trial began; until then, the time of the registration.</p>
<ul class="types">
${createFamilies(types.map(({ type }) => type)).join('\n')}
</ul>
${types.map(createSection).join('\n')}`,
  );

/** Lists the types by family: the word before the dot. */
const createFamilies = (types: readonly string[]): string[] => {
  const families = [...new Set(types.map(readFamily))];
  return families.map((family) => {
    const links = types
      .filter((type) => readFamily(type) === family)
      .map((type) => `<li><a href="#${type}"><code>${type}</code></a></li>`);
    return `<li>${family}<ul>${links.join('\n')}</ul></li>`;
  });
};

const readFamily = (type: string): string => type.split('.', 1)[0] ?? type;

const MODES: Readonly<Record<(typeof PRIVACY_MODES)[number], string>> = {
  full: 'Example for a destination with the privacy mode full',
  hashed_only: 'Example for a destination with the privacy mode hashed_only',
  minimal: 'Example for a destination with the privacy mode minimal',
};

const createSection = ({ type, when, schema, examples }: EventTypeFacts): string =>
  `<section id="${type}">
<h2><a href="#${type}"><code>${type}</code></a></h2>
<p>${renderProse(when)}</p>
${PRIVACY_MODES.map((mode) => createDetails(MODES[mode], examples[mode], mode === 'full')).join('\n')}
${createDetails('JSON Schema of data', toPublishedSchema(schema as Json), false)}
</section>`;

const createDetails = (title: string, value: unknown, isOpen: boolean): string =>
  `<details${isOpen ? ' open' : ''}><summary>${title}</summary>
<pre tabindex="0">${escapeHtml(JSON.stringify(value, null, 2))}</pre></details>`;
