export const OTLP_PROTOCOLS = ['http/protobuf', 'http/json'] as const;
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** How spans are sent and which are; the library reads the other standard variables itself. */
export interface TracingSettings {
  readonly protocol: (typeof OTLP_PROTOCOLS)[number];
  readonly sampler: (typeof SAMPLERS)[number];
  /** The share of traces that a sampler by ratio keeps. */
  readonly ratio: number;
}
