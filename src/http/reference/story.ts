/**
 * The example story: Ada subscribes to the plan `pro` of the tenant Acme Magazine on 10 March 2026,
 * pays, asks for a refund, and gets a credit. All examples of the reference use its values.
 */
const ADA = '0k3v9c2m8x7q1z5n';
const STARTED = '2026-03-10T12:00:00.000Z';
const ENDS = '2026-04-10T12:00:00.000Z';

export const STORY = {
  startedAt: STARTED,
  periodEnd: ENDS,
  email: 'ada@example.com',
  tenantName: 'Acme Magazine',
  plan: 'pro',
  otherPlan: 'team',
  motionName: 'Stay with us',
  cohortName: 'At risk',
  subscriberKey: ADA,
  ids: {
    tenant: 'tnt_9b4d7f2h6j8k3m5n',
    subscriber: `subscriber_${ADA}`,
    subscription: `sub_${ADA}7h2m4q9x`,
    payment: `pay_${ADA}3d8f6g1k`,
    attempt: `pay_${ADA}3d8f6g1k_1`,
    refund: `rfd_${ADA}5t2v7w4z`,
    credit: `crd_${ADA}9n6p3r8s`,
    ticket: `tkt_${ADA}2b5c8d1e`,
    run: `mtr_${ADA}6f9g2h5j`,
    event: 'evt_06aq2c6c3vf6nb1rx4d5k8w7ze',
    destination: 'dest_4q7r2t5v8w3x6y9z',
    motion: 'mot_7k2m5n8p3q6r9s4t',
    cohort: 'cohort_5v8w3x6y9z2b4c7d',
    clock: 'clock_3f6g9h2j5k8m4n7p',
    replay: 'rep_8s3t6v9w2x5y7z4b',
    import: 'imp_2c5d8f3g6h9j4k7m',
    rebuild: 'rbd_6n9p2q5r8s3t7v4w',
    key: 'key_9x4y7z2b5c8d3f6g',
    member: 'mem_0a70916bd60c854b579ee0b6af',
    invitation: 'inv_60c7d55d3f674aceac42',
    session: 'ses_5d8f3a6e9b4c7d2f1a0e',
    operationalEvent: '01994c5e-8f3a-7c21-9d64-2b7e5a1f8c03',
  },
} as const;
