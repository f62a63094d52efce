/** A tenant, as the operator API returns it. */
export interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'suspended' | 'deleted';
  readonly suspended_at: string | null;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly created_at: string;
}
