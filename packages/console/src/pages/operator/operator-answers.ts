import type { Replay } from '@subscription-event-service/sdk';
/** The responses of the operator API, with the fields that the console shows. */
export interface InstallationOverview {
  readonly checks: Readonly<Record<string, string>>;
  readonly projector: {
    readonly process: string | null;
    readonly projected_to: string | null;
    readonly log_end: string | null;
  };
  readonly processes: readonly { readonly id: string; readonly runs: readonly string[] }[];
  readonly tenants: number;
  readonly tenants_suspended: number;
  readonly destinations: number;
  readonly destinations_failing: number;
  readonly replays_running: number;
  readonly imports_running: number;
  readonly rebuilds_running: number;
  readonly unprojected_events: number;
  readonly problem_tenants: readonly {
    readonly tenant_id: string;
    readonly name: string;
    readonly destinations_failing: number;
  }[];
}

export interface FailingDestination {
  readonly destination: { readonly destination_id: string };
}

export interface FoundObject {
  readonly tenant_id: string;
  readonly environment: string | null;
  readonly type: string;
  readonly id: string;
  readonly title: string;
}

export interface TenantReplay {
  readonly tenant_id: string;
  readonly environment: string;
  readonly replay: Replay;
}

export interface TenantImport {
  readonly tenant_id: string;
  readonly environment: string;
  readonly import: {
    readonly id: string;
    readonly status: string;
    readonly lines_total: number;
    readonly lines_ok: number;
    readonly lines_failed: number;
    readonly created_at: string;
  };
}

export interface LeftOutEvent {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly error: string;
  readonly created_at: string;
}

export interface UsageCounts {
  readonly subscribers: number;
  readonly active_subscriptions: number;
  readonly events: number;
  readonly deliveries: number;
  readonly destinations: number;
}

export interface TenantUsage {
  readonly tenant_id: string;
  readonly name: string;
  readonly live: UsageCounts;
  readonly test: UsageCounts;
}

export interface KnownAnalyst {
  readonly name: string;
  readonly tenant_id: string | null;
}

export interface CreatedAnalyst {
  readonly name: string;
  readonly password: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
}

export interface ExportedRows {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly next: string | null;
}
