/** The checks that must pass before this process gets requests. The readiness implements them. */
export abstract class HealthChecks {
  abstract check(): Promise<Record<string, string>>;
}
