/** Descriptions of operations whose controllers have none. */
export const OPERATION_TEXTS: Readonly<Record<string, string>> = {
  'POST /operator/v1/tenants':
    'Creates a tenant: one business with its own data, keys and destinations in a live and a test environment.',
  'GET /operator/v1/tenants': 'Lists all tenants, newest first.',
  'GET /operator/v1/tenants/{tenantId}': 'Shows the tenant with its settings.',
  'PATCH /operator/v1/tenants/{tenantId}':
    'Changes the name or some settings of a tenant. Settings that are left out stay as they are.',
  'GET /operator/v1/tenants/{tenantId}/api-keys':
    'Lists the API keys of both environments, newest first. The text of a key is never shown again.',
  'GET /v1/destinations': 'Lists the destinations of the environment, newest first.',
  'GET /v1/destinations/{destinationId}':
    'Shows the destination with its settings and its status. The signing secret is not shown again.',
  'GET /operator/v1/tenants/{tenantId}/destinations':
    'Lists the destinations of a tenant in both environments, newest first.',
  'GET /operator/v1/tenants/{tenantId}/destinations/{destinationId}':
    'Shows the destination with its settings and its status. The signing secret is not shown again.',
  'PATCH /operator/v1/tenants/{tenantId}/destinations/{destinationId}':
    'Changes the settings of a destination, or disables or enables it. Fields that you leave out keep their value.',
  'DELETE /operator/v1/tenants/{tenantId}/destinations/{destinationId}':
    'Deletes a destination. It can be restored for 30 days; with `force=true` it is deleted for good, at once.',
  'POST /operator/v1/tenants/{tenantId}/destinations/{destinationId}/rotate-secret':
    'Issues a new signing secret and shows it this once. The old one stays valid for 24 hours, or for `overlap_hours`; secrets before it end at once.',
  'POST /operator/v1/tenants/{tenantId}/destinations/{destinationId}/restore':
    'Restores a deleted destination within 30 days. Deliveries go on where they stopped.',
  'POST /operator/v1/tenants/{tenantId}/destinations/{destinationId}/test':
    'Sends a signed `test.ping` event now and shows the response of the receiver.',
  'POST /operator/v1/tenants/{tenantId}/destinations/{destinationId}/preview':
    'Shows the headers and the body with which an event would be delivered. Nothing is sent.',
  'GET /v1/plans/{planId}': 'Shows the current version of the plan.',
  'GET /v1/plans': 'Lists the plans of the environment, newest first.',
  'GET /v1/events/{eventId}':
    'Shows one event, as destinations receive it. Personal data is shown to keys with `pii:read`.',
  'POST /operator/v1/rebuilds':
    'Builds new read models from the log of events, and replaces those in use when they are complete.',
  'GET /operator/v1/rebuilds/{rebuildId}': 'Shows the progress of a rebuild of read models.',
};
