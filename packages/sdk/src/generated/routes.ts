// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
/**
 * How a method calls its operation: method and path, what it takes (`b` a body, `q` a query, `l` it
 * answers a list), and the media type of a body that is text or bytes.
 */
export type Route = readonly [route: string, takes?: string, contentType?: string];

export const ROUTES: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  auditLog: {
    list: ['GET /v1/audit_log', 'ql'],
  },
  cohorts: {
    create: ['POST /v1/cohorts', 'b'],
    list: ['GET /v1/cohorts', 'ql'],
    preview: ['POST /v1/cohorts/preview', 'b'],
    get: ['GET /v1/cohorts/{cohortId}'],
    update: ['PATCH /v1/cohorts/{cohortId}', 'b'],
    delete: ['DELETE /v1/cohorts/{cohortId}'],
    listMembers: ['GET /v1/cohorts/{cohortId}/members', 'ql'],
  },
  credits: {
    grant: ['POST /v1/subscribers/{subscriberId}/credits', 'b'],
    list: ['GET /v1/subscribers/{subscriberId}/credits', 'ql'],
    get: ['GET /v1/credits/{creditId}'],
    listTransactions: ['GET /v1/credits/{creditId}/transactions', 'ql'],
    void: ['POST /v1/credits/{creditId}/void'],
  },
  deliveries: {
    list: ['GET /v1/destinations/{destinationId}/deliveries', 'ql'],
    get: ['GET /v1/destinations/{destinationId}/deliveries/{eventId}'],
    retry: ['POST /v1/destinations/{destinationId}/deliveries/{eventId}/retry'],
  },
  destinations: {
    create: ['POST /v1/destinations', 'b'],
    list: ['GET /v1/destinations', 'ql'],
    get: ['GET /v1/destinations/{destinationId}'],
    update: ['PATCH /v1/destinations/{destinationId}', 'b'],
    delete: ['DELETE /v1/destinations/{destinationId}', 'q'],
    rotateSecret: ['POST /v1/destinations/{destinationId}/rotate-secret'],
    restore: ['POST /v1/destinations/{destinationId}/restore'],
    test: ['POST /v1/destinations/{destinationId}/test'],
    preview: ['POST /v1/destinations/{destinationId}/preview', 'b'],
  },
  events: {
    listDeliveries: ['GET /v1/events/{eventId}/deliveries', 'ql'],
    list: ['GET /v1/events', 'ql'],
    counts: ['GET /v1/events/counts', 'q'],
    get: ['GET /v1/events/{eventId}'],
  },
  eventTypes: {
    list: ['GET /v1/event_types', 'l'],
    get: ['GET /v1/event_types/{eventType}'],
    listVersions: ['GET /v1/schema_versions', 'l'],
  },
  imports: {
    create: ['POST /v1/imports', 'bq', 'application/x-ndjson'],
    get: ['GET /v1/imports/{importId}'],
    listErrors: ['GET /v1/imports/{importId}/errors', 'ql'],
  },
  metrics: {
    recovery: ['GET /v1/metrics/recovery', 'q'],
    get: ['GET /v1/metrics/{metric}', 'q'],
    definition: ['GET /v1/metrics/{metric}/definition'],
  },
  motionRuns: {
    get: ['GET /v1/motion_runs/{runId}'],
    reportOutcome: ['POST /v1/motion_runs/{runId}/outcome', 'b'],
  },
  motions: {
    create: ['POST /v1/motions', 'b'],
    list: ['GET /v1/motions', 'ql'],
    get: ['GET /v1/motions/{motionId}'],
    update: ['PATCH /v1/motions/{motionId}', 'b'],
    delete: ['DELETE /v1/motions/{motionId}'],
    activate: ['POST /v1/motions/{motionId}/activate'],
    pause: ['POST /v1/motions/{motionId}/pause'],
    archive: ['POST /v1/motions/{motionId}/archive'],
    trigger: ['POST /v1/motions/{motionId}/trigger', 'b'],
    listRuns: ['GET /v1/motions/{motionId}/runs', 'ql'],
    performance: ['GET /v1/motions/{motionId}/performance', 'q'],
  },
  operationalEvents: {
    list: ['GET /v1/operational_events', 'ql'],
  },
  payments: {
    list: ['GET /v1/payments', 'ql'],
    get: ['GET /v1/payments/{paymentId}'],
    listAttempts: ['GET /v1/payments/{paymentId}/attempts', 'ql'],
    reportAttempt: ['POST /v1/payments/{paymentId}/attempts', 'b'],
    retry: ['POST /v1/payments/{paymentId}/retry'],
    reportDispute: ['POST /v1/payments/{paymentId}/disputes', 'b'],
  },
  plans: {
    save: ['PUT /v1/plans/{planId}', 'b'],
    get: ['GET /v1/plans/{planId}'],
    list: ['GET /v1/plans', 'ql'],
  },
  refunds: {
    create: ['POST /v1/payments/{paymentId}/refunds', 'b'],
    list: ['GET /v1/refunds', 'ql'],
    get: ['GET /v1/refunds/{refundId}'],
    reportOutcome: ['POST /v1/refunds/{refundId}/outcome', 'b'],
  },
  replays: {
    create: ['POST /v1/replay', 'b'],
    list: ['GET /v1/replay', 'ql'],
    get: ['GET /v1/replay/{replay_id}'],
    cancel: ['DELETE /v1/replay/{replay_id}'],
    listFailures: ['GET /v1/replay/{replay_id}/failures', 'ql'],
  },
  search: {
    find: ['GET /v1/search', 'q'],
  },
  subscribers: {
    create: ['POST /v1/subscribers', 'b'],
    list: ['GET /v1/subscribers', 'ql'],
    get: ['GET /v1/subscribers/{subscriberId}'],
    update: ['PATCH /v1/subscribers/{subscriberId}', 'b'],
    erase: ['DELETE /v1/subscribers/{subscriberId}'],
    setEngagementScore: ['PUT /v1/subscribers/{subscriberId}/engagement_score', 'b'],
    timeline: ['GET /v1/subscribers/{subscriberId}/timeline', 'ql'],
    listEvents: ['GET /v1/subscribers/{subscriberId}/events', 'ql'],
  },
  subscriptions: {
    create: ['POST /v1/subscriptions', 'b'],
    list: ['GET /v1/subscriptions', 'ql'],
    get: ['GET /v1/subscriptions/{subscriptionId}', 'q'],
    pause: ['POST /v1/subscriptions/{subscriptionId}/pause', 'b'],
    resume: ['POST /v1/subscriptions/{subscriptionId}/resume', 'b'],
    cancel: ['POST /v1/subscriptions/{subscriptionId}/cancel', 'b'],
    uncancel: ['POST /v1/subscriptions/{subscriptionId}/uncancel'],
    reactivate: ['POST /v1/subscriptions/{subscriptionId}/reactivate'],
    changePlan: ['POST /v1/subscriptions/{subscriptionId}/plan', 'b'],
    previewPlanChange: ['POST /v1/subscriptions/{subscriptionId}/plan/preview', 'b'],
    setPaymentMethod: ['PUT /v1/subscriptions/{subscriptionId}/payment_method', 'b'],
  },
  testClocks: {
    create: ['POST /v1/test_helpers/clocks', 'b'],
    get: ['GET /v1/test_helpers/clocks/{clockId}'],
    delete: ['DELETE /v1/test_helpers/clocks/{clockId}'],
    advance: ['POST /v1/test_helpers/clocks/{clockId}/advance', 'b'],
  },
  testHelpers: {
    listOutbox: ['GET /v1/test_helpers/outbox', 'ql'],
    seed: ['POST /v1/test_helpers/seed', 'b'],
    createEvent: ['POST /v1/test_helpers/events', 'b'],
    playScenario: ['POST /v1/test_helpers/scenarios/{name}'],
  },
  tickets: {
    create: ['POST /v1/tickets', 'b'],
    list: ['GET /v1/tickets', 'ql'],
    get: ['GET /v1/tickets/{ticketId}'],
    update: ['PATCH /v1/tickets/{ticketId}', 'b'],
    resolve: ['POST /v1/tickets/{ticketId}/resolve', 'b'],
    reopen: ['POST /v1/tickets/{ticketId}/reopen'],
    close: ['POST /v1/tickets/{ticketId}/close'],
  },
};
