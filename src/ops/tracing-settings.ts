export const OTLP_PROTOCOLS = ['http/protobuf', 'http/json'] as const;
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/**
 * Settings of tracing: the protocol of the exporter and the sampling. The library reads the other
 * standard variables itself.
 */
export interface TracingSettings {
  readonly protocol: (typeof OTLP_PROTOCOLS)[number];
  readonly sampler: (typeof SAMPLERS)[number];
  /** Share of the traces that are recorded if the sampler works by ratio. */
  readonly ratio: number;
}
