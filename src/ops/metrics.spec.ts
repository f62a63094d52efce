import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Metrics } from './metrics';

const rules = readFileSync(join(__dirname, '../../deploy/prometheus/alerts.yml'), 'utf8');

/** The counters of which an alert takes the increase, with the labels that it selects. */
const counted = [...rules.matchAll(/increase\((\w+)(?:\{(\w+="\w+")\})?\[/g)].map(
  ([, name = '', label = '']) => [name, label],
);

describe('a counter that an alert watches', () => {
  it.each(counted)('is shown before the first thing that it counts: %s %s', async (name, label) => {
    const lines = (await new Metrics().collectText()).split('\n');
    const series = lines.filter((line) => line.startsWith(name) && line.includes(label));
    expect(series).not.toEqual([]);
    for (const line of series) expect(line).toMatch(/ 0$/);
  });

  it('is that of server errors, refused sign-ins and events that cannot be projected', () => {
    expect(counted).toHaveLength(3);
  });
});
