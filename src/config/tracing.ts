import { OTLP_PROTOCOLS, SAMPLERS, type TracingSettings } from '../ops/tracing-settings';
import { checkUrl } from './addresses';
import type { EnvironmentReader } from './environment-reader';

/** The default share of traces whose spans are recorded. */
const TRACES_SAMPLED_DEFAULT = 0.01;

/** Variables that hold the URL of a collector. */
const ENDPOINT_VARIABLES = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
const COMPRESSION_VARIABLES = [
  'OTEL_EXPORTER_OTLP_COMPRESSION',
  'OTEL_EXPORTER_OTLP_TRACES_COMPRESSION',
];
/** Variables that hold `name=value` pairs. */
const PAIR_VARIABLES = [
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'OTEL_RESOURCE_ATTRIBUTES',
];
const FILE_VARIABLES = [
  'OTEL_EXPORTER_OTLP_CERTIFICATE',
  'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE',
  'OTEL_EXPORTER_OTLP_CLIENT_KEY',
];
/** Variables that hold a number of milliseconds or of spans. */
const NUMBER_VARIABLES = [
  'OTEL_EXPORTER_OTLP_TIMEOUT',
  'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT',
  'OTEL_BSP_SCHEDULE_DELAY',
  'OTEL_BSP_EXPORT_TIMEOUT',
  'OTEL_BSP_MAX_QUEUE_SIZE',
  'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
];
const NUMBER_MAX = 1_000_000_000;

/** Reads the standard variables of OpenTelemetry. Undefined = no spans are recorded. */
export const readTracing = (read: EnvironmentReader): TracingSettings | undefined => {
  checkLibraryVariables(read);
  const exporter = read.readOneOf('OTEL_TRACES_EXPORTER', ['otlp', 'none'], 'otlp');
  const settings = { protocol: readProtocol(read), ...readSampler(read) };
  const isAsked = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_EXPORTER'].some(
    (name) => read.readText(name) !== undefined,
  );
  const isDisabled = read.readFlag('OTEL_SDK_DISABLED', false);
  return isAsked && exporter === 'otlp' && !isDisabled ? settings : undefined;
};

/**
 * Checks variables that only the library reads. It would ignore a wrong value, and the line in its
 * log is easily missed.
 */
const checkLibraryVariables = (read: EnvironmentReader): void => {
  for (const name of ENDPOINT_VARIABLES) {
    read.readUrl(name, ['http', 'https'], checkUrl('http://collector.example:4318'));
  }
  for (const name of COMPRESSION_VARIABLES) read.readOneOf(name, ['gzip', 'none'], 'none');
  for (const name of PAIR_VARIABLES) read.checkPairs(name);
  for (const name of FILE_VARIABLES) read.checkFile(name);
  for (const name of NUMBER_VARIABLES) read.readInteger(name, 1, [1, NUMBER_MAX]);
};

const readProtocol = (read: EnvironmentReader): TracingSettings['protocol'] => {
  const general = read.readOneOf('OTEL_EXPORTER_OTLP_PROTOCOL', OTLP_PROTOCOLS, 'http/protobuf');
  return read.readOneOf('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', OTLP_PROTOCOLS, general);
};

const readSampler = (read: EnvironmentReader): Pick<TracingSettings, 'sampler' | 'ratio'> => {
  const isNamed = read.readText('OTEL_TRACES_SAMPLER') !== undefined;
  const sampler = read.readOneOf('OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_traceidratio');
  const ratio = Number(
    read.readText('OTEL_TRACES_SAMPLER_ARG') ?? (isNamed ? 1 : TRACES_SAMPLED_DEFAULT),
  );
  if (ratio >= 0 && ratio <= 1) return { sampler, ratio };
  return read.refuse('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1', {
    sampler,
    ratio: TRACES_SAMPLED_DEFAULT,
  });
};
