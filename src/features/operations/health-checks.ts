/** What must work before requests are sent to this process; implemented by the readiness of the process. */
export abstract class HealthChecks {
  abstract check(): Promise<Record<string, string>>;
}
