/** Descriptions of operations whose controllers have none. */
export const OPERATION_TEXTS: Readonly<Record<string, string>> = {
  'POST /operator/v1/tenants':
    'Creates a tenant: one business with its own data, keys and destinations in a live and a test environment.',
  'GET /operator/v1/tenants': 'Lists all tenants, newest first.',
  'GET /operator/v1/tenants/{tenantId}': 'Answers the tenant with its settings.',
  'PATCH /operator/v1/tenants/{tenantId}':
    'Changes the name or some settings of a tenant. Settings that are left out stay as they are.',
  'GET /operator/v1/tenants/{tenantId}/api-keys':
    'Lists the API keys of both environments, newest first. The text of a key is never shown again.',
  'GET /v1/destinations': 'Lists the destinations of the environment, newest first.',
  'GET /v1/destinations/{destinationId}':
    'Answers the destination with its settings and its status. The signing secret is not shown again.',
  'GET /operator/v1/tenants/{tenantId}/destinations':
    'Lists the destinations of a tenant in both environments, newest first.',
  'GET /operator/v1/tenants/{tenantId}/destinations/{destinationId}':
    'Answers the destination with its settings and its status. The signing secret is not shown again.',
  'PATCH /operator/v1/tenants/{tenantId}/destinations/{destinationId}':
    'Changes settings of a destination, or disables and enables it. What is left out stays as it is.',
  'DELETE /operator/v1/tenants/{tenantId}/destinations/{destinationId}':
    'Deletes a destination. It can be restored for 30 days; with `force=true` it is deleted for good, at once.',
  'POST /operator/v1/tenants/{tenantId}/destinations/{destinationId}/rotate-secret':
    'Issues a new signing secret and shows it this once. The old one stays valid for 24 hours.',
  'POST /operator/v1/tenants/{tenantId}/destinations/{destinationId}/restore':
    'Restores a deleted destination within 30 days. Deliveries go on where they stopped.',
  'POST /operator/v1/tenants/{tenantId}/destinations/{destinationId}/test':
    'Sends a signed `test.ping` event now and answers what the receiver answered.',
  'POST /operator/v1/tenants/{tenantId}/destinations/{destinationId}/preview':
    'Answers the headers and the body that an event would be delivered with. Sends nothing.',
  'GET /v1/plans/{planId}': 'Answers the plan as it is now.',
  'GET /v1/plans': 'Lists the plans of the environment, newest first.',
  'GET /v1/events/{eventId}':
    'Answers one event, as destinations receive it. Personal data is shown to keys with `pii:read`.',
  'POST /operator/v1/rebuilds':
    'Builds read models anew from the log of events, beside the ones in use, and swaps them when they are complete.',
  'GET /operator/v1/rebuilds/{rebuildId}': 'Answers how far a rebuild of read models is.',
};
