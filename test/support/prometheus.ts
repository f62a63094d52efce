import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { evaluate, type Sample, type Scrape } from './promql';
import { until } from './until';

const ROOT = join(__dirname, '../..');

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

interface ScrapeConfig {
  readonly scrape_configs: readonly { readonly job_name: string }[];
}

/** Limit of a scrape in ms, as Prometheus has it by default. */
const SCRAPE_TIMEOUT_MS = 10_000;

/** The pause between two scrapes in ms. Each evaluation reads all scrapes. */
const SCRAPE_EVERY_MS = 200;

const readYaml = (path: string): unknown => parse(readFileSync(join(ROOT, path), 'utf8'));

const rules = (
  readYaml('deploy/prometheus/alerts.yml') as { groups: readonly { rules: readonly Rule[] }[] }
).groups.flatMap((group) => group.rules);

/** The names of all alerts. */
export const ALERTS: readonly string[] = rules.map(({ alert }) => alert);

const [job] = (readYaml('deploy/prometheus/prometheus.yml') as ScrapeConfig).scrape_configs;

/**
 * Scrapes real processes and evaluates the alerts of `deploy/prometheus/alerts.yml`. It does not
 * wait for the time that an expression has to hold (`for`).
 */
export class Prometheus {
  private readonly scrapes: Scrape[] = [];

  /** The targets are the addresses of the processes. */
  constructor(private readonly targets: () => readonly string[]) {}

  /** Waits until the expression of an alert holds. */
  untilFiring(alert: string, waitLimitMs?: number): Promise<unknown> {
    return this.untilEvaluated(alert, true, waitLimitMs);
  }

  /** Waits until the expression of an alert does not hold. */
  untilQuiet(alert: string, waitLimitMs?: number): Promise<unknown> {
    return this.untilEvaluated(alert, false, waitLimitMs);
  }

  /** Forgets all scrapes, as if the windows of all rates were over. */
  forget(): void {
    this.scrapes.length = 0;
  }

  /** Scrapes once and returns the names of the alerts whose expression holds. */
  async listFiringAlerts(): Promise<string[]> {
    await this.scrape();
    return rules.filter(({ expr }) => evaluate(expr, this.scrapes)).map(({ alert }) => alert);
  }

  private async untilEvaluated(alert: string, fires: boolean, waitLimitMs?: number) {
    if (!rules.some((rule) => rule.alert === alert)) throw new Error(`no alert ${alert}`);
    const what = `the alert ${alert} ${fires ? 'to fire' : 'to end'}`;
    let last: string[] = [];
    return until(
      what,
      async () => {
        last = await this.listFiringAlerts();
        if (last.includes(alert) === fires) return true;
        await delay(SCRAPE_EVERY_MS);
        return false;
      },
      waitLimitMs,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}; firing: ${last.join(', ')}`);
    });
  }

  private async scrape(): Promise<void> {
    const found = await Promise.all(this.targets().map((target) => scrapeTarget(target)));
    this.scrapes.push({ atMs: Date.now(), samples: found.flat() });
  }
}

const scrapeTarget = async (target: string): Promise<Sample[]> => {
  const labels = { job: job?.job_name ?? '', instance: target };
  const createUpSample = (value: number): Sample => ({ name: 'up', labels, value });
  try {
    const signal = AbortSignal.timeout(SCRAPE_TIMEOUT_MS);
    const answer = await fetch(`${target}/metrics`, { signal });
    const text = await answer.text();
    if (!answer.ok) return [createUpSample(0)];
    return [createUpSample(1), ...parseSamples(text, labels)];
  } catch {
    return [createUpSample(0)];
  }
};

const parseSamples = (text: string, target: Readonly<Record<string, string>>): Sample[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const own = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
        ([, label = '', content = '']) => [label, content] as const,
      );
      return { name, labels: { ...target, ...Object.fromEntries(own) }, value: toNumber(value) };
    });

const toNumber = (text: string): number => (text === '+Inf' ? Infinity : Number(text));
