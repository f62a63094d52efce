/**
 * The checks that must pass before this process accepts requests, with their results by name.
 * `src/wiring` implements them.
 */
export abstract class HealthChecks {
  abstract check(): Promise<Record<string, string>>;
}
