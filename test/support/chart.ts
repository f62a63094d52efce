import Ajv from 'ajv';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { renderTemplate } from './helm';

const CHART = join(__dirname, '../../deploy/helm');

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: Record<string, unknown>;
}

export type ChartValues = Readonly<Record<string, unknown>>;

export const readChartFile = (path: string): string => readFileSync(join(CHART, path), 'utf8');

const defaults = parse(readChartFile('values.yaml')) as ChartValues;

/** Puts values over those of the chart as Helm does: objects are merged, and null removes a key. */
const mergeValues = (base: ChartValues, values: ChartValues): ChartValues =>
  Object.fromEntries(
    Object.entries({ ...base, ...values })
      .filter(([, value]) => value !== null)
      .map(([key, value]) => {
        const under = base[key];
        return [key, isObject(value) && isObject(under) ? mergeValues(under, value) : value];
      }),
  );

const isObject = (value: unknown): value is ChartValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Renders every template of the chart as the release `prod`. */
export const renderChart = (values: ChartValues = {}): Manifest[] => {
  const { name, appVersion } = parse(readChartFile('Chart.yaml')) as {
    name: string;
    appVersion: string;
  };
  const dot = {
    Values: mergeValues(defaults, values),
    Release: { Name: 'prod' },
    Chart: { Name: name, AppVersion: appVersion },
  };
  return readdirSync(join(CHART, 'templates')).flatMap((file) =>
    readDocuments(renderTemplate(readChartFile(`templates/${file}`), dot)),
  );
};

const readDocuments = (text: string): Manifest[] =>
  parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    const manifest = document.toJS() as Manifest | null;
    return manifest === null ? [] : [manifest];
  });

const validateValues = new Ajv({ allowUnionTypes: true, strictTypes: false }).compile(
  JSON.parse(readChartFile('values.schema.json')) as object,
);

/** True if the chart accepts these values. Helm asks its schema before it renders. */
export const isValidValues = (values: ChartValues): boolean =>
  validateValues(mergeValues(defaults, values));
