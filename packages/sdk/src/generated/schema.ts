// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
export interface components {
  schemas: {
    AdvanceClockBody: {
      /**
       * Format: date-time
       * @description Later than the clock is, at most two intervals of its shortest subscription on.
       */
      frozen_time: string;
    };
    AmendTicketBody: {
      /**
       * @description The priority.
       * @enum {string}
       */
      priority?: 'normal' | 'high';
      /**
       * @description The subject. Personal: shown with the scope `pii:read` only.
       * @example Charged twice in March
       */
      subject?: string | null;
      /**
       * @description What the ticket is about.
       * @enum {string}
       */
      topic?:
        | 'billing_question'
        | 'refund_request'
        | 'plan_change'
        | 'cancel'
        | 'payment_issue'
        | 'other';
    };
    AppliedOffer: {
      /** @description The id of the object that the offer changed or created; null without one. */
      ref: string | null;
      /** @description The type of the object. */
      type: string;
    };
    AuditItem: {
      /**
       * @description What was done: the noun, and what happened to it.
       * @example destination.updated
       */
      action: string;
      /** @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider. */
      actor: {
        /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
        id: string;
        /** @description As it was called when it acted. */
        name: string;
        /**
         * @description The type of the object.
         * @enum {string}
         */
        type: 'api_key' | 'operator' | 'member';
      };
      /** @description Where the request came from. */
      address: string | null;
      /**
       * Format: date-time
       * @description When it was.
       */
      at: string;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /** @description What it was done to. */
      object: {
        /** @description The id of what it was done to. */
        id: string;
        /** @description The noun of what it was done to. */
        type: string;
      };
      /** @description `X-Request-Id` of the request. */
      request_id: string | null;
    };
    AuditItemList: {
      /** @description The objects of this page. */
      data: components['schemas']['AuditItem'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    AuditLogListQuery: {
      /** @description The action, for example `destination.updated` or `analytics.exported`. */
      action?: string;
      /** @description Done by the actor with this id. */
      actor?: string;
      /**
       * Format: date-time
       * @description Only objects created at this moment or later.
       */
      created_after?: string;
      /**
       * Format: date-time
       * @description Only objects created before this moment.
       */
      created_before?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Done to the object with this id. */
      object?: string;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
    };
    CancelBody: {
      /** @description The subscriber's own words. Personal. */
      comment?: string | null;
      /**
       * @description When it takes effect: at the end of the period, or at once.
       * @default period_end
       * @example period_end
       * @enum {string}
       */
      effective?: 'period_end' | 'immediately';
      /**
       * @description What the subscriber said was wrong, in one word.
       * @example too_expensive
       * @enum {string|null}
       */
      feedback?:
        | 'customer_service'
        | 'low_quality'
        | 'missing_features'
        | 'other'
        | 'switched_service'
        | 'too_complex'
        | 'too_expensive'
        | 'unused'
        | null;
    };
    ChangeCohortBody: {
      /**
       * @description Replaces the whole definition; members move with `reason: definition_changed`.
       * @example {
       *       "status": [
       *         "active"
       *       ],
       *       "tags_include": [
       *         "vip"
       *       ]
       *     }
       */
      definition?: components['schemas']['CohortDefinitionBody'];
      /** @description A text for your own use. */
      description?: string | null;
      /**
       * @description A name for people to read.
       * @example At risk
       */
      name?: string;
    };
    ChangeDestinationBody: {
      /** @description A text for your own use. */
      description?: string | null;
      /**
       * Format: email
       * @description Support address. Required for `email_fallback`, and only for it.
       */
      email?: string;
      /**
       * @description Types, families such as `payment.*`, or `*`. Every type where left out. An e-mail destination takes `ticket.submitted` only.
       * @example [
       *       "payment.*",
       *       "ticket.submitted"
       *     ]
       */
      event_types?: string[] | null;
      /**
       * @description Deliveries under way at a time.
       * @default 50
       */
      max_in_flight?: number;
      /**
       * @description Per subscriber: a newer event waits 5 minutes behind a failing one, or (`strict`) until it is done.
       * @default relaxed
       * @enum {string}
       */
      ordering?: 'relaxed' | 'strict';
      /**
       * @description How much of the person is sent: all, no e-mail address and no free text, or ids alone.
       * @default full
       * @enum {string}
       */
      pii_mode?: 'full' | 'hashed_only' | 'minimal';
      /** @description How many deliveries may begin in a second; null is no limit. */
      rate_limit_per_second?: number | null;
      /**
       * @description `email_fallback`: Reply-To is the subscriber's address.
       * @default false
       */
      reply_to_subscriber?: boolean;
      /**
       * @description With `status: "active"`: skip what came while it was disabled. Skipped events stay replayable.
       * @enum {string}
       */
      resume_from?: 'now';
      /** @description Pins the schema version. */
      schema_version?: string | null;
      /**
       * @description `active` continues where the destination stopped, and what waited for a retry goes at once; the 5 days of failure after which it is disabled begin anew.
       * @enum {string}
       */
      status?: 'active' | 'disabled';
      /** @description `email_fallback`: text with `{{dotted.path}}` placeholders: `[{{data.topic}}] {{data.subject}}`. */
      subject_template?: string | null;
      /**
       * @description `off`: webhooks have no `traceparent`. The delivery log still names the trace.
       * @default on
       * @enum {string}
       */
      trace_headers?: 'on' | 'off';
      /**
       * @description Where events are POSTed. Required for `https_webhook`, and only for it. White space and control characters must be encoded.
       * @example https://example.com/webhooks
       */
      url?: string;
    };
    ChangeMotionBody: {
      /**
       * @description For how many days after an acceptance payments count as retained.
       * @default 30
       */
      attribution_days?: number;
      /** @description In any of these; every subscriber without. */
      cohort_ids?: string[];
      /** @description A text for your own use. */
      description?: string | null;
      /**
       * @description Share of subscribers who are shown nothing, to compare with.
       * @default 0
       */
      holdout_percent?: number;
      /**
       * @description What the motion is for.
       * @enum {string}
       */
      kind?:
        | 'cancel_save'
        | 'payment_recovery'
        | 'win_back'
        | 'trial_conversion'
        | 'upsell'
        | 'announcement';
      /** @description How often the motion may be used. */
      limits?: components['schemas']['MotionLimitsBody'];
      /**
       * @description A name for people to read.
       * @example Save
       */
      name?: string;
      /**
       * @description What the subscriber is offered; null is no offer.
       * @example {
       *       "type": "pause",
       *       "days": 30
       *     }
       */
      offer?: (components['schemas']['OfferBody'] | null) & components['schemas']['OfferBody'];
      /**
       * @description How many hours an offer can be accepted.
       * @default 72
       */
      offer_valid_hours?: number;
      /**
       * @description Whether you trigger the motion, or entering one of its cohorts does.
       * @default manual
       * @enum {string}
       */
      trigger_mode?: 'manual' | 'on_cohort_enter';
    };
    ChangePlanBody: {
      /**
       * @description `create_prorations`: lines wait for the next renewal. `always_invoice`: settled now; a decline changes nothing. `none`: the new price from the next renewal.
       * @default create_prorations
       * @enum {string}
       */
      proration_behavior?: 'create_prorations' | 'none' | 'always_invoice';
      /**
       * Format: date-time
       * @description Of a preview, at most 15 minutes old: gives its numbers.
       */
      proration_date?: string;
      /**
       * @description Plan id.
       * @example pro
       */
      to_plan: string;
    };
    Cohort: {
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description Who belongs to the cohort. Fields are AND-ed; `{}` is everyone. */
      definition: components['schemas']['CohortDefinition'];
      /** @description A text for your own use. */
      description: string | null;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /** @description How many members there are. */
      member_count: number;
      /** @description A name for people to read. */
      name: string;
      /**
       * Format: date-time
       * @description When it was last changed.
       */
      updated_at: string;
      /** @description The ids of motions that target the cohort. */
      used_by_motions: string[];
    };
    CohortDefinition: {
      /** @description At least this score; a subscriber without a score never matches. */
      engagement_score_min?: number;
      /** @description Any of these plans. */
      plan_ids?: string[];
      /** @description Any of these statuses of the primary subscription. */
      status?: ('active' | 'trialing' | 'paused' | 'cancelled' | 'lapsed')[];
      /** @description None of these tags. */
      tags_exclude?: string[];
      /** @description Any of these tags; all of them with `tags_match: "all"`. */
      tags_include?: string[];
      /**
       * @description Whether one of `tags_include` is enough, or all are needed.
       * @enum {string}
       */
      tags_match?: 'any' | 'all';
      /** @description At most this many days since the subscriber was created. */
      tenure_days_max?: number;
      /** @description At least this many days since the subscriber was created. */
      tenure_days_min?: number;
    };
    CohortDefinitionBody: {
      /** @description Inclusive; no score never matches. */
      engagement_score_min?: number;
      /** @description Any of these. */
      plan_ids?: string[];
      /** @description Status of the primary subscription: any of these. */
      status?: ('active' | 'trialing' | 'paused' | 'cancelled' | 'lapsed')[];
      /** @description Has any of these tags: not a member, whatever else matches. */
      tags_exclude?: string[];
      /** @description Has any of these tags; all of them with `tags_match: "all"`. */
      tags_include?: string[];
      /**
       * @description Whether one of `tags_include` is enough, or all are needed.
       * @default any
       * @enum {string}
       */
      tags_match?: 'any' | 'all';
      /** @description Inclusive. */
      tenure_days_max?: number;
      /** @description Inclusive. */
      tenure_days_min?: number;
    };
    /** @description Memberships follow every change, usually within a second. Entries and exits that cancel out within that time may be left out; they always alternate, and the last one says what is true. The deletion of a cohort and the erasure of a subscriber end memberships without one. */
    CohortEnteredData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description The id of the cohort; null without one. */
      cohort_id: string;
      /** @description The name of the cohort. */
      cohort_name: string;
      /**
       * @description Why it happened.
       * @enum {string}
       */
      reason: 'subscriber_changed' | 'tenure' | 'definition_changed';
    };
    /** @description A subscriber became a member of a cohort. Members of a new cohort enter it without an event. */
    CohortEnteredEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['CohortEnteredData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'cohort.entered';
    };
    /** @description A subscriber is no member of a cohort any more. */
    CohortExitedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['CohortEnteredData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'cohort.exited';
    };
    CohortList: {
      /** @description The objects of this page. */
      data: components['schemas']['Cohort'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    CohortMember: {
      /**
       * Format: date-time
       * @description When the membership began.
       */
      entered_at: string;
      /** @description The id of the subscriber. */
      subscriber_id: string;
    };
    CohortMemberList: {
      /** @description The objects of this page. */
      data: components['schemas']['CohortMember'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    CohortPreview: {
      /** @description The newest of them, at most five. */
      examples: {
        /** @description The e-mail address. Personal: left out without the scope `pii:read`. */
        email?: string | null;
        /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
        id: string;
      }[];
      /** @description How many subscribers match now. */
      member_count: number;
    };
    CohortsListMembersQuery: {
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
    };
    CohortsListQuery: {
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
    };
    CreateClockBody: {
      /**
       * Format: date-time
       * @description In the years 1970 to 8999.
       * @example 2026-01-31T00:00:00Z
       */
      frozen_time: string;
      /**
       * @description A name for people to read.
       * @example A year of renewals
       */
      name?: string | null;
    };
    CreateCohortBody: {
      /**
       * @description Fields are AND-ed; `{}` is everyone.
       * @example {
       *       "status": [
       *         "active"
       *       ],
       *       "tags_include": [
       *         "vip"
       *       ]
       *     }
       */
      definition: components['schemas']['CohortDefinitionBody'];
      /** @description A text for your own use. */
      description?: string | null;
      /**
       * @description A name for people to read.
       * @example At risk
       */
      name: string;
    };
    CreateMotionBody: {
      /**
       * @description For how many days after an acceptance payments count as retained.
       * @default 30
       */
      attribution_days?: number;
      /** @description In any of these; every subscriber without. */
      cohort_ids?: string[];
      /** @description A text for your own use. */
      description?: string | null;
      /**
       * @description Share of subscribers who are shown nothing, to compare with.
       * @default 0
       */
      holdout_percent?: number;
      /**
       * @description What the motion is for.
       * @example cancel_save
       * @enum {string}
       */
      kind:
        | 'cancel_save'
        | 'payment_recovery'
        | 'win_back'
        | 'trial_conversion'
        | 'upsell'
        | 'announcement';
      /** @description How often the motion may be used. */
      limits?: components['schemas']['MotionLimitsBody'];
      /**
       * @description A name for people to read.
       * @example Save
       */
      name: string;
      /**
       * @description What the subscriber is offered; null is no offer.
       * @example {
       *       "type": "pause",
       *       "days": 30
       *     }
       */
      offer?: (components['schemas']['OfferBody'] | null) & components['schemas']['OfferBody'];
      /**
       * @description How many hours an offer can be accepted.
       * @default 72
       */
      offer_valid_hours?: number;
      /**
       * @description Whether you trigger the motion, or entering one of its cohorts does.
       * @default manual
       * @enum {string}
       */
      trigger_mode?: 'manual' | 'on_cohort_enter';
    };
    CreateRefundBody: {
      /**
       * @description In minor units; what is left of the payment where left out.
       * @example 500
       */
      amount?: number;
      /**
       * @description `credit` keeps the money as customer credit.
       * @default original
       * @enum {string}
       */
      destination?: 'original' | 'credit';
      /** @description Personal. */
      note?: string | null;
      /**
       * @description Why it happened.
       * @example requested_by_customer
       * @enum {string}
       */
      reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | 'other';
      /** @description One of the subscriber's tickets. */
      ticket_id?: string | null;
    };
    CreateSubscriberBody: {
      /**
       * Format: email
       * @description The e-mail address. Personal: left out without the scope `pii:read`.
       * @example ada@example.com
       */
      email: string;
      /** @description Your own id, unique in the environment. */
      external_id?: string | null;
      /**
       * @description Key/value pairs of your own: at most 50 keys of 40 characters, values of 500.
       * @example {
       *       "city": "Paris"
       *     }
       */
      metadata?: {
        [key: string]: string;
      };
      /**
       * @description Short labels of your own.
       * @example [
       *       "annual",
       *       "newsletter"
       *     ]
       */
      tags?: string[];
      /** @description Test environments: the test clock whose time the subscriber lives in. */
      test_clock?: string | null;
    };
    CreateSubscriptionBody: {
      /** @description Your own id, unique in the environment. */
      external_id?: string | null;
      /**
       * @description In test environments a `pm_test_…` method; live, your provider's reference.
       * @example pm_test_ok
       */
      payment_method?: string;
      /**
       * @description Plan id.
       * @example pro
       */
      plan: string;
      /** @description The id of the subscriber. */
      subscriber_id: string;
      /** @description The plan's own trial where neither this nor trial_end is given; 0 = no trial. */
      trial_days?: number;
      /**
       * Format: date-time
       * @description Instead of trial_days; in the future.
       */
      trial_end?: string;
    };
    Credit: {
      /** @description in minor units of the currency */
      amount: number;
      /**
       * @description The category; promotional credits are used before paid ones.
       * @enum {string}
       */
      category: 'promotional' | 'goodwill' | 'proration' | 'refund' | 'paid';
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: string;
      /**
       * Format: date-time
       * @description When it ends; null is never.
       */
      expires_at: string | null;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /** @description A note for your team. Personal: shown with the scope `pii:read` only. */
      note?: string | null;
      /** @description in minor units of the currency */
      remaining: number;
      /** @description Where it comes from. */
      source: {
        /** @description The id of what it comes from; null without one. */
        id: string | null;
        /** @description The type of what it comes from. */
        type: string;
      };
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status: 'active' | 'depleted' | 'expired' | 'voided';
      /** @description The id of the subscriber. */
      subscriber_id: string;
    };
    CreditAppliedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description in minor units of the currency */
      amount: number;
      /**
       * @description The category; promotional credits are used before paid ones.
       * @enum {string}
       */
      category: 'promotional' | 'goodwill' | 'proration' | 'refund' | 'paid';
      /** @description The id of the credit; null without one. */
      credit_id: string;
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: string;
      /** @description The id of the payment; null where no payment is involved. */
      payment_id: string | null;
      /** @description Why it happened. */
      reason: string;
      /** @description in minor units of the currency */
      remaining: number;
    };
    /** @description A credit paid a charge, or a part of it. */
    CreditAppliedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['CreditAppliedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'credit.applied';
    };
    /** @description What was left of a credit expired. */
    CreditExpiredEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['CreditAppliedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'credit.expired';
    };
    CreditGrantedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description in minor units of the currency */
      amount: number;
      /**
       * @description The category; promotional credits are used before paid ones.
       * @enum {string}
       */
      category: 'promotional' | 'goodwill' | 'proration' | 'refund' | 'paid';
      /** @description The id of the credit; null without one. */
      credit_id: string;
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: string;
      /** @description The id of the motion run that caused it; null without one. */
      motion_run_id: string | null;
      /** @description The id of the payment; null where no payment is involved. */
      payment_id: string | null;
      /** @description Why it happened. */
      reason: string;
      /** @description in minor units of the currency */
      remaining: number;
    };
    /** @description A subscriber was given a credit. */
    CreditGrantedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['CreditGrantedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'credit.granted';
    };
    CreditList: {
      /** @description The objects of this page. */
      data: components['schemas']['Credit'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    CreditsListQuery: {
      /**
       * Format: date-time
       * @description Only objects created at this moment or later.
       */
      created_after?: string;
      /**
       * Format: date-time
       * @description Only objects created before this moment.
       */
      created_before?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /**
       * @description Only those in this status.
       * @enum {string}
       */
      status?: 'active' | 'depleted' | 'expired' | 'voided';
    };
    CreditsListTransactionsQuery: {
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
    };
    CreditTransaction: {
      /** @description in minor units of the currency */
      amount: number;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description The id of the credit; null without one. */
      credit_id: string;
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: string;
      /** @description in minor units of the currency */
      ending_balance: number;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /** @description The id of the payment; null where no payment is involved. */
      payment_id: string | null;
      /**
       * @description The type of the object.
       * @enum {string}
       */
      type: 'granted' | 'applied' | 'reinstated' | 'expired' | 'voided';
    };
    CreditTransactionList: {
      /** @description The objects of this page. */
      data: components['schemas']['CreditTransaction'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    /** @description What was left of a credit was taken back. */
    CreditVoidedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['CreditAppliedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'credit.voided';
    };
    /**
     * @description An ISO 4217 code in upper case, such as `USD`.
     * @example USD
     */
    CurrencyCode: string;
    DeletedDestination: {
      /**
       * Format: date-time
       * @description When it was deleted; null where it is not.
       */
      deleted_at: string;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /**
       * Format: date-time
       * @description Until when it can be restored; null where it is not deleted.
       */
      recoverable_until: string;
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status: 'deleted';
    };
    DeliveriesListAllQuery: {
      /**
       * Format: date-time
       * @description Only objects created at this moment or later.
       */
      created_after?: string;
      /**
       * Format: date-time
       * @description Only objects created before this moment.
       */
      created_before?: string;
      /** @description Deliveries to this destination; to all where left out. */
      destination_id?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /** @description A type such as `payment.failed`, or a family such as `payment.*`. */
      event_type?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /**
       * @description Only those in this status.
       * @enum {string}
       */
      status?: 'pending' | 'delivered' | 'failed';
      /** @description The status that the receiver answered the last attempt with. */
      status_code?: number;
    };
    DeliveriesListQuery: {
      /**
       * Format: date-time
       * @description Only objects created at this moment or later.
       */
      created_after?: string;
      /**
       * Format: date-time
       * @description Only objects created before this moment.
       */
      created_before?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /** @description A type such as `payment.failed`, or a family such as `payment.*`. */
      event_type?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /**
       * @description Only those in this status.
       * @enum {string}
       */
      status?: 'pending' | 'delivered' | 'failed';
    };
    Delivery: {
      /** @description How many attempts there were. */
      attempt_count: number;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the receiver answered with a 2xx; null before.
       */
      delivered_at: string | null;
      /** @description The id of the destination. */
      destination_id: string;
      /** @description The id of the event. Receivers recognise repeats by it. */
      event_id: string;
      /** @description The type of the event. */
      event_type: string;
      /**
       * Format: date-time
       * @description When the latest attempt was made; null before the first.
       */
      last_attempt_at: string | null;
      /** @description Why there is no complete answer: `timeout`, `url_not_allowed`, `address_not_allowed` (a store of the service), `proxy_closed`, `proxy_refused_407` with its status, `event_deleted`, or the code of the connection, such as `ECONNREFUSED`. Null where there is one, whatever its status. */
      last_error: string | null;
      /** @description The HTTP status of the latest answer; null where none came. */
      last_status_code: number | null;
      /**
       * Format: date-time
       * @description When the next attempt is planned; null where none is.
       */
      next_attempt_at: string | null;
      /** @description The id of the replay; null for live deliveries. */
      replay_id: string | null;
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status: 'pending' | 'delivered' | 'failed';
      /** @description The trace of the last attempt, as in its `traceparent`. */
      trace_id: string | null;
    };
    DeliveryDetail: {
      /** @description How many attempts there were. */
      attempt_count: number;
      /** @description Every attempt, oldest first. */
      attempts: {
        /**
         * Format: date-time
         * @description When it was.
         */
        at: string;
        /** @description The number of the attempt, from 1. */
        attempt: number;
        /** @description How long it took, in milliseconds. */
        duration_ms: number;
        /** @description Why there is no complete answer: `timeout`, `url_not_allowed`, `address_not_allowed` (a store of the service), `proxy_closed`, `proxy_refused_407` with its status, `event_deleted`, or the code of the connection, such as `ECONNREFUSED`. Null where there is one, whatever its status. */
        error: string | null;
        /** @description A replay is a trace of its own. This is the trace in which the event happened. */
        linked_trace_id: string | null;
        /** @description The id of the replay; null for live deliveries. */
        replay_id: string | null;
        /** @description The first 4 KiB of the answer; null without one. */
        response_body: string | null;
        /** @description The HTTP status of the answer; null where none came. */
        status_code: number | null;
        /** @description The trace of the last attempt, as in its `traceparent`. */
        trace_id: string | null;
      }[];
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the receiver answered with a 2xx; null before.
       */
      delivered_at: string | null;
      /** @description The id of the destination. */
      destination_id: string;
      /** @description The id of the event. Receivers recognise repeats by it. */
      event_id: string;
      /** @description The type of the event. */
      event_type: string;
      /**
       * Format: date-time
       * @description When the latest attempt was made; null before the first.
       */
      last_attempt_at: string | null;
      /** @description Why there is no complete answer: `timeout`, `url_not_allowed`, `address_not_allowed` (a store of the service), `proxy_closed`, `proxy_refused_407` with its status, `event_deleted`, or the code of the connection, such as `ECONNREFUSED`. Null where there is one, whatever its status. */
      last_error: string | null;
      /** @description The HTTP status of the latest answer; null where none came. */
      last_status_code: number | null;
      /**
       * Format: date-time
       * @description When the next attempt is planned; null where none is.
       */
      next_attempt_at: string | null;
      /** @description The id of the replay; null for live deliveries. */
      replay_id: string | null;
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status: 'pending' | 'delivered' | 'failed';
      /** @description The trace of the last attempt, as in its `traceparent`. */
      trace_id: string | null;
    };
    DeliveryList: {
      /** @description The objects of this page. */
      data: components['schemas']['Delivery'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    DeliveryPreview: {
      /** @description The exact body. */
      body: string;
      /** @description The headers. */
      headers: {
        [key: string]: string;
      };
    };
    Destination: {
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it was deleted; null where it is not.
       */
      deleted_at: string | null;
      /** @description A text for your own use. */
      description: string | null;
      /**
       * Format: date-time
       * @description When it was disabled; null where it is not.
       */
      disabled_at: string | null;
      /**
       * @description Why it is disabled; null where it is not.
       * @enum {string|null}
       */
      disabled_reason: 'gone' | 'failing' | 'manual' | null;
      /** @description Where e-mails are sent. Absent for webhook destinations. */
      email?: string;
      /**
       * @description The environment: `live` or `test`. The two never mix.
       * @enum {string}
       */
      environment: 'live' | 'test';
      /** @description Types of events, or families such as `payment.*`; null is every type. */
      event_types: string[] | null;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /** @description How many deliveries may be under way at a time. */
      max_in_flight: number;
      /**
       * @description Whether a failing delivery holds back later events of its subscriber for 5 minutes or until it is done.
       * @enum {string}
       */
      ordering: 'relaxed' | 'strict';
      /**
       * @description How much of the person is sent: all, no e-mail address and no free text, or ids alone.
       * @enum {string}
       */
      pii_mode: 'full' | 'hashed_only' | 'minimal';
      /** @description How many deliveries may begin in a second; null is no limit. */
      rate_limit_per_second: number | null;
      /**
       * Format: date-time
       * @description Until when it can be restored; null where it is not deleted.
       */
      recoverable_until: string | null;
      /** @description Whether a reply goes to the subscriber. */
      reply_to_subscriber?: boolean;
      /** @description The version of the catalogue that the event is written in. */
      schema_version: string;
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status: 'active' | 'disabled' | 'deleted';
      /** @description The template of the subject; null is the standard one. */
      subject_template?: string | null;
      /**
       * @description Whether deliveries carry the trace of the request in `traceparent`: `on`, or `off`.
       * @enum {string}
       */
      trace_headers: 'on' | 'off';
      /**
       * @description Whether it is a webhook or an e-mail address.
       * @enum {string}
       */
      type: 'https_webhook' | 'email_fallback';
      /** @description Where events are sent. Absent for e-mail destinations. */
      url?: string;
    };
    DestinationHealth: {
      /** @description The id of the destination. */
      destination_id: string;
      /**
       * @description Why it is disabled; null where it is not.
       * @enum {string|null}
       */
      disabled_reason: 'gone' | 'failing' | 'manual' | null;
      /**
       * Format: date-time
       * @description The first failed attempt since the last success; null where it does not fail.
       */
      failing_since: string | null;
      /**
       * @description Whether its attempts succeed; `disabled` where none is made.
       * @enum {string}
       */
      health: 'healthy' | 'failing' | 'disabled';
      /** @description Of the newest 5000 deliveries of the last 24 hours. */
      last_24_hours: {
        /** @description Events that the receiver took. */
        delivered: number;
        /** @description 24 numbers, the oldest hour first, by the creation of the event. */
        delivered_by_hour: number[];
        /** @description Given up after the last attempt. */
        failed: number;
        /** @description Delivered at the first attempt ÷ all; null without deliveries. */
        first_try_rate: number | null;
        /** @description Tried without success, and tried again later. */
        pending: number;
        /** @description 95 % of the attempts were answered within this time. */
        response_p95_ms: number | null;
      };
      /** @description Why the latest attempt failed; null where it did not. */
      last_error: string | null;
      /** @description Of the last failed attempt. */
      last_status_code: number | null;
      /**
       * Format: date-time
       * @description When the receiver last took an event.
       */
      last_success_at: string | null;
      /**
       * Format: date-time
       * @description When the oldest event that waits was created.
       */
      oldest_waiting_at: string | null;
      /** @description Deliveries that wait for their next attempt. */
      waiting: number;
    };
    DestinationHealthList: {
      /** @description The objects of this page. */
      data: components['schemas']['DestinationHealth'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    DestinationList: {
      /** @description The objects of this page. */
      data: components['schemas']['Destination'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    DestinationsDeleteQuery: {
      /**
       * @description Delete for good, at once.
       * @default false
       */
      force?: boolean;
    };
    DestinationsListHealthQuery: {
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description Only those of this health.
       * @enum {string}
       */
      health?: 'healthy' | 'failing' | 'disabled';
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
    };
    DestinationsListQuery: {
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /**
       * @description Active and disabled ones where left out.
       * @enum {string}
       */
      status?: 'active' | 'disabled' | 'deleted';
    };
    DestinationTest: {
      /** @description How long it took, in milliseconds. */
      duration_ms: number;
      /** @description Why the attempt failed; null where it did not. */
      error: string | null;
      /** @description The HTTP status of the answer; null where none came. */
      status_code: number | null;
    };
    Discount: {
      /** @description in minor units of the currency */
      amount: number | null;
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: string | null;
      /**
       * @description Whether it counts for one period, for the periods of some months, or for ever.
       * @enum {string}
       */
      duration: 'once' | 'repeating' | 'forever';
      /**
       * Format: date-time
       * @description Periods that begin later are not reduced; null without an end.
       */
      ends_at: string | null;
      /** @description How many percent are taken off. */
      percent: number | null;
    };
    DisputeBody: {
      /**
       * @description The state of the dispute. `won` and `lost` are final.
       * @enum {string}
       */
      dispute_status: 'open' | 'won' | 'lost';
    };
    EmitEventBody: {
      /**
       * @description Fields of `data` that should differ from the fixture.
       * @example {}
       */
      data?: {
        [key: string]: unknown;
      };
      /** @description A new fixture subscriber without it. */
      subscriber_id?: string;
      /**
       * @description Any type of the catalogue.
       * @example payment.failed
       */
      type: string;
    };
    EngagementScoreBody: {
      /**
       * Format: date-time
       * @description When it was measured; now without it. One older than the last is ignored.
       */
      observed_at?: string;
      /**
       * @description Your own measure, 0 to 100.
       * @example 62
       */
      score: number;
    };
    Erasure: {
      /**
       * Format: date-time
       * @description When the personal data was erased; null where it was not.
       */
      erased_at: string;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
    };
    /**
     * @description Says what went wrong, for programs. New codes may be added.
     * @enum {string}
     */
    ErrorCode:
      | 'parameter_missing'
      | 'parameter_invalid'
      | 'parameter_unknown'
      | 'invalid_json'
      | 'request_malformed'
      | 'invalid_cursor'
      | 'cursor_conflict'
      | 'limit_out_of_range'
      | 'invalid_replay_window'
      | 'idempotency_key_invalid'
      | 'url_not_https'
      | 'url_not_allowed'
      | 'template_invalid'
      | 'api_key_missing'
      | 'api_key_invalid'
      | 'api_key_expired'
      | 'api_key_revoked'
      | 'session_invalid'
      | 'sign_in_failed'
      | 'payment_failed'
      | 'insufficient_scope'
      | 'ip_not_allowed'
      | 'cross_site_request'
      | 'https_needed'
      | 'role_not_allowed'
      | 'tenant_suspended'
      | 'refund_limit_exceeded'
      | 'test_helpers_live_forbidden'
      | 'resource_not_found'
      | 'route_not_found'
      | 'method_not_allowed'
      | 'invalid_state_transition'
      | 'payment_past_due'
      | 'motion_not_active'
      | 'ticket_closed'
      | 'replay_not_cancellable'
      | 'destination_deleted'
      | 'destination_disabled'
      | 'cohort_in_use'
      | 'subscriber_erased'
      | 'external_id_in_use'
      | 'already_member'
      | 'last_owner'
      | 'role_name_in_use'
      | 'version_conflict'
      | 'idempotency_key_in_use'
      | 'link_spent'
      | 'invitation_spent'
      | 'payload_too_large'
      | 'headers_too_large'
      | 'request_timeout'
      | 'unsupported_media_type'
      | 'idempotency_key_reused'
      | 'subscriber_not_eligible'
      | 'refund_amount_exceeds_remaining'
      | 'currency_mismatch'
      | 'destination_not_replayable'
      | 'metric_too_large'
      | 'quota_exceeded'
      | 'daily_quota_exceeded'
      | 'analysts_need_postgresql'
      | 'destination_limit_reached'
      | 'event_types_not_subscribed'
      | 'rate_limited'
      | 'too_many_concurrent_replays'
      | 'too_many_concurrent_requests'
      | 'service_unavailable'
      | 'internal_error';
    Event: {
      /**
       * Format: date-time
       * @description When it happened, with milliseconds.
       */
      created_at: string;
      /** @description What happened; the type says which fields there are. */
      data: {
        [key: string]: unknown;
      };
      /**
       * @description The environment: `live` or `test`. The two never mix.
       * @enum {string}
       */
      environment: 'live' | 'test';
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /** @description The version of the catalogue that the event is written in. */
      schema_version: string;
      /** @description The number of the event in the history of its subscriber, from 1. Receivers order by it. */
      sequence: number;
      /** @description The subscriber that it is about. */
      subscriber: components['schemas']['EventSubscriber'];
      /** @description The subscription as it was at the time of the event. Absent where there is none. */
      subscription?: components['schemas']['Subscription'];
      /** @description Whose event it is. */
      tenant: components['schemas']['EventTenant'];
      /** @description The id of the test clock in whose time the subscriber lives. Absent without one. */
      test_clock_id?: string;
      /** @description The type of the event, such as `payment.succeeded`. */
      type: string;
    };
    EventCounts: {
      /**
       * @description The length of a bucket.
       * @enum {string}
       */
      granularity: 'hour' | 'day' | 'month';
      /** @description Oldest first; buckets without events are left out. */
      points: {
        /** @description How many events were created in it. */
        count: number;
        /**
         * Format: date-time
         * @description When the bucket begins, in UTC.
         */
        timestamp: string;
      }[];
    };
    EventDelivery: {
      /** @description How many attempts there were. */
      attempt_count: number;
      /**
       * Format: date-time
       * @description When the receiver answered with a 2xx; null before.
       */
      delivered_at: string | null;
      /** @description The id of the destination. */
      destination_id: string;
      /** @description The id of the event. Receivers recognise repeats by it. */
      event_id: string;
      /** @description The type of the event. */
      event_type: string;
      /**
       * Format: date-time
       * @description When the latest attempt was made; null before the first.
       */
      last_attempt_at: string | null;
      /** @description Why there is no complete answer: `timeout`, `url_not_allowed`, `address_not_allowed` (a store of the service), `proxy_closed`, `proxy_refused_407` with its status, `event_deleted`, or the code of the connection, such as `ECONNREFUSED`. Null where there is one, whatever its status. */
      last_error: string | null;
      /** @description The HTTP status of the latest answer; null where none came. */
      last_status_code: number | null;
      /**
       * Format: date-time
       * @description When the next attempt is planned; null where none is.
       */
      next_attempt_at: string | null;
      /** @description The id of the replay; null for live deliveries. */
      replay_id: string | null;
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status:
        | 'pending'
        | 'delivered'
        | 'failed'
        | 'filtered'
        | 'before_destination'
        | 'destination_disabled';
      /** @description The trace of the last attempt, as in its `traceparent`. */
      trace_id: string | null;
    };
    EventDeliveryList: {
      /** @description The objects of this page. */
      data: components['schemas']['EventDelivery'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    /** @description What all events have. */
    EventFields: {
      /**
       * Format: date-time
       * @description When it happened, with milliseconds.
       */
      created_at: string;
      /**
       * @description The environment: `live` or `test`. The two never mix.
       * @enum {string}
       */
      environment: 'live' | 'test';
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /** @description The version of the catalogue that the event is written in. */
      schema_version: string;
      /** @description The number of the event in the history of its subscriber, from 1. Receivers order by it. */
      sequence: number;
      /** @description The subscriber that it is about. */
      subscriber: components['schemas']['EventSubscriber'];
      /** @description The subscription as it was at the time of the event. Absent where there is none. */
      subscription?: components['schemas']['Subscription'];
      /** @description Whose event it is. */
      tenant: components['schemas']['EventTenant'];
      /** @description The id of the test clock in whose time the subscriber lives. Absent without one. */
      test_clock_id?: string;
    };
    EventList: {
      /** @description The objects of this page. */
      data: components['schemas']['Event'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    EventsCountsQuery: {
      /**
       * Format: date-time
       * @description Only what was created at or after this moment.
       */
      created_after?: string;
      /**
       * Format: date-time
       * @description Only what was created before this moment.
       */
      created_before?: string;
      /** @description Types or families, comma-separated: `ticket.submitted,payment.*`. */
      event_types?: string[];
      /**
       * @description The length of a bucket.
       * @default day
       * @enum {string}
       */
      granularity?: 'hour' | 'day' | 'month';
    };
    EventsListDeliveriesQuery: {
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
    };
    EventsListQuery: {
      /**
       * Format: date-time
       * @description Only objects created at this moment or later.
       */
      created_after?: string;
      /**
       * Format: date-time
       * @description Only objects created before this moment.
       */
      created_before?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /** @description Types or families, comma-separated: `ticket.submitted,payment.*`. */
      event_types?: string[];
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /**
       * @description Newest first, or `asc` for oldest first.
       * @default desc
       * @enum {string}
       */
      order?: 'asc' | 'desc';
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /** @description Only those of this subscriber. */
      subscriber_id?: string;
      /** @description Only those of this subscription. */
      subscription_id?: string;
    };
    EventSubscriber: {
      /**
       * Format: date-time
       * @description When the subscriber was first activated.
       */
      created_at: string;
      /** @description The e-mail address. Left out in the privacy mode `hashed_only`. */
      email?: string | null;
      /** @description `sha256:` and the SHA-256 of the e-mail address in lower case; 64 zeros after an erasure. */
      email_hashed: string;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
    };
    EventTenant: {
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /** @description A name for people to read. */
      name: string;
    };
    EventType: {
      /**
       * @description The part of the type before the dot.
       * @example ticket
       */
      family: string;
      /**
       * @description The JSON Schema of `data`. The keyword `pii` marks personal fields.
       * @example {
       *       "type": "object",
       *       "properties": {}
       *     }
       */
      schema: {
        [key: string]: unknown;
      };
      /**
       * @description The version of the catalogue that the event is written in.
       * @example v1
       */
      schema_version: string;
      /**
       * @description The type of the object.
       * @example ticket.submitted
       */
      type: string;
    };
    EventTypeList: {
      /** @description The objects of this page. */
      data: components['schemas']['EventType'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    FailureBody: {
      /**
       * @description The code of the error. Programs decide by it.
       * @example insufficient_funds
       */
      code: string;
      /**
       * @description `hard`: the method will not work again, so it is not tried again.
       * @default soft
       * @enum {string}
       */
      decline_type?: 'soft' | 'hard';
      /** @description What went wrong, for people. The text may change. */
      message?: string;
    };
    FieldError: {
      /** @description The code of the error. Programs decide by it. */
      code: components['schemas']['ErrorCode'];
      /** @description What went wrong, for people. The text may change. */
      message: string;
      /** @description The field, parameter or header that is wrong; null where there is none. */
      param: string;
    };
    GrantCreditBody: {
      /**
       * @description In minor units.
       * @example 500
       */
      amount: number;
      /**
       * @description The category; promotional credits are used before paid ones.
       * @default goodwill
       * @enum {string}
       */
      category?: 'promotional' | 'goodwill' | 'proration' | 'refund' | 'paid';
      /** @description The tenant's currency where left out. */
      currency?: components['schemas']['CurrencyCode'];
      /**
       * Format: date-time
       * @description In the future; null = never.
       */
      expires_at?: string | null;
      /** @description Personal. */
      note?: string | null;
    };
    Import: {
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description Whether destinations receive the imported history. */
      deliver: boolean;
      /** @description Why the work could not go on; null where it could. */
      failure_reason: string | null;
      /**
       * Format: date-time
       * @description When the work ended; null before.
       */
      finished_at: string | null;
      /**
       * @description The id of the object. Ids are opaque texts of at most 64 characters.
       * @example imp_0k3v9c2m8x7q1z5n
       */
      id: string;
      /** @description How many lines were refused. */
      lines_failed: number;
      /** @description How many lines were imported, or were there already. */
      lines_ok: number;
      /** @description How many lines were read. */
      lines_total: number;
      /**
       * Format: date-time
       * @description When the work began; null while it is queued.
       */
      started_at: string | null;
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status: 'queued' | 'in_progress' | 'completed' | 'completed_with_errors' | 'failed';
    };
    ImportLineError: {
      /**
       * @description The code of the error. Programs decide by it.
       * @example parameter_invalid
       */
      code: string;
      /**
       * @description Counted from 1.
       * @example 17
       */
      line: number;
      /**
       * @description What went wrong, for people. The text may change.
       * @example email is not valid.
       */
      message: string;
      /**
       * @description The field, parameter or header that is wrong; null where there is none.
       * @example email
       */
      param: string | null;
    };
    ImportLineErrorList: {
      /** @description The objects of this page. */
      data: components['schemas']['ImportLineError'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    ImportLinesBody: {
      /**
       * @description The lines to import, in their order: at most 200. Send more lines as `application/x-ndjson`.
       * @example [
       *       {
       *         "kind": "subscriber",
       *         "external_id": "crm-1",
       *         "email": "ada@example.com"
       *       }
       *     ]
       */
      lines: {
        [key: string]: unknown;
      }[];
    };
    ImportsCreateQuery: {
      /**
       * @description Whether destinations receive the imported history.
       * @default false
       */
      deliver?: boolean;
    };
    ImportsListErrorsQuery: {
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
    };
    Line: {
      /** @description in minor units of the currency */
      amount: number;
      /**
       * @description What the line is: a period, time that is credited or charged, or a discount.
       * @enum {string}
       */
      kind: 'period' | 'credit' | 'debit' | 'discount';
      /**
       * Format: date-time
       * @description When the period ends.
       */
      period_end: string;
      /**
       * Format: date-time
       * @description When the period begins.
       */
      period_start: string;
      /** @description The id of the plan. */
      plan: string;
    };
    MetricDefinition: {
      /** @description What is left out. */
      exclusions: string[];
      /** @description How the value is computed. */
      formula: string;
      /** @description The measures that the metric has; empty where it has one. */
      measures: {
        /** @description How the value is computed. */
        formula: string;
        /** @description What is measured, where a metric has several measures; else null. */
        measure: string;
        /**
         * @description The unit of the values.
         * @enum {string}
         */
        unit: 'ratio' | 'count' | 'minor_units' | 'seconds';
      }[];
      /** @description The name of the metric. */
      metric: string;
      /** @description The query parameters that the metric takes. */
      parameters: string[];
      /**
       * @description The unit of the values.
       * @enum {string}
       */
      unit: 'ratio' | 'count' | 'minor_units' | 'seconds';
      /** @description The number of the version. */
      version: number;
    };
    MetricDefinitionList: {
      /** @description The objects of this page. */
      data: components['schemas']['MetricDefinition'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    MetricSeries: {
      /** @description The id of the cohort; null without one. */
      cohort_id: string | null;
      /**
       * Format: date-time
       * @description When the numbers were computed.
       */
      computed_at: string;
      /** @description The currency of the values; null where they are no money. */
      currency: string | null;
      /**
       * Format: date-time
       * @description The beginning of the window, inclusive.
       */
      from: string | null;
      /**
       * @description The length of a bucket.
       * @enum {string}
       */
      granularity: 'day' | 'week' | 'month';
      /** @description What is measured, where a metric has several measures; else null. */
      measure: string | null;
      /** @description The name of the metric. */
      metric: string;
      /** @description The id of the plan. */
      plan: string | null;
      /** @description One point for each bucket, oldest first. */
      points: {
        /** @description Something in it is not settled yet. */
        maturing: boolean;
        /** @description Of `mrr_movements`: losses are negative, `value` is their sum. */
        movements?: {
          /** @description Revenue lost by subscriptions that ended, in minor units. */
          churn: number;
          /** @description Revenue lost by changes to cheaper plans, in minor units. */
          contraction: number;
          /** @description Revenue from changes to dearer plans, in minor units. */
          expansion: number;
          /** @description Revenue of new subscribers, in minor units. */
          new: number;
          /** @description Revenue that stopped by pauses, in minor units. */
          paused: number;
          /** @description Revenue of subscribers who came back, in minor units. */
          reactivation: number;
          /** @description Revenue of resumed subscriptions, in minor units. */
          resumed: number;
        };
        /** @description The window cuts the bucket, or it is not over. */
        partial: boolean;
        /** @description How many things the value is computed from. */
        sample_size: number;
        /**
         * Format: date-time
         * @description When the bucket begins.
         */
        timestamp: string;
        /** @description The value of the bucket. */
        value: number;
      }[];
      /** @description Where days begin. */
      timezone: string;
      /**
       * Format: date-time
       * @description The end of the window, exclusive.
       */
      to: string | null;
      /**
       * @description The unit of the values.
       * @enum {string}
       */
      unit: 'ratio' | 'count' | 'minor_units' | 'seconds';
      /**
       * @description The time that the series covers.
       * @enum {string|null}
       */
      window: 'last_7d' | 'last_30d' | 'last_90d' | 'last_12mo' | 'all_time' | null;
    };
    MetricsGetQuery: {
      /**
       * @description For `churn_rate`.
       * @enum {string}
       */
      by?: 'voluntary' | 'involuntary';
      /** @description Who is in this cohort now; no `delivery_…`. */
      cohort_id?: string;
      /** @description For money; the tenant's own currency without it. */
      currency?: components['schemas']['CurrencyCode'];
      /** @description For `delivery_…`; all destinations without it. */
      destination_id?: string;
      /**
       * Format: date-time
       * @description A window of your own instead of `window`. Counting is by the day: the day of this moment is counted whole.
       */
      from?: string;
      /**
       * @description The length of a bucket.
       * @default day
       * @enum {string}
       */
      granularity?: 'day' | 'week' | 'month';
      /** @description Subscriptions while they have this plan; no `delivery_…`. */
      plan?: string;
      /**
       * @description Where days, weeks and months begin; UTC where left out, and for `delivery_…`.
       * @example Europe/Berlin
       */
      timezone?: string;
      /**
       * Format: date-time
       * @description The end of it, exclusive; now where left out.
       */
      to?: string;
      /**
       * @description For `ticket_volume`.
       * @enum {string}
       */
      topic?:
        | 'billing_question'
        | 'refund_request'
        | 'plan_change'
        | 'cancel'
        | 'payment_issue'
        | 'other';
      /**
       * @description The time that the series covers, in whole UTC days and months.
       * @default last_30d
       * @enum {string}
       */
      window?: 'last_7d' | 'last_30d' | 'last_90d' | 'last_12mo' | 'all_time';
    };
    MetricsRecoveryQuery: {
      /** @description Who is in this cohort now; no `delivery_…`. */
      cohort_id?: string;
      /** @description For money; the tenant's own currency without it. */
      currency?: components['schemas']['CurrencyCode'];
      /**
       * Format: date-time
       * @description A window of your own instead of `window`. Counting is by the day: the day of this moment is counted whole.
       */
      from?: string;
      /**
       * @description The length of a bucket.
       * @default day
       * @enum {string}
       */
      granularity?: 'day' | 'week' | 'month';
      /**
       * @description `rate` and `failed_amount` count by the day of the first failure, `amount` and `payments` by the day of the recovery.
       * @default rate
       * @enum {string}
       */
      measure?: 'rate' | 'amount' | 'payments' | 'failed_amount';
      /** @description Subscriptions while they have this plan; no `delivery_…`. */
      plan?: string;
      /**
       * @description Where days, weeks and months begin; UTC where left out, and for `delivery_…`.
       * @example Europe/Berlin
       */
      timezone?: string;
      /**
       * Format: date-time
       * @description The end of it, exclusive; now where left out.
       */
      to?: string;
      /**
       * @description The time that the series covers, in whole UTC days and months.
       * @default last_30d
       * @enum {string}
       */
      window?: 'last_7d' | 'last_30d' | 'last_90d' | 'last_12mo' | 'all_time';
    };
    /** @description An event as destinations of the privacy mode `minimal` receive it: ids alone. */
    MinimalEvent: {
      /**
       * Format: date-time
       * @description When it happened.
       */
      created_at: string;
      /** @description The id of the event. */
      id: string;
      /** @description The subscriber that it is about. */
      subscriber: components['schemas']['ObjectId'];
      /** @description The subscription as it was at the time of the event. Absent where there is none. */
      subscription?: components['schemas']['ObjectId'];
      /**
       * @description The type of the event.
       * @enum {string}
       */
      type:
        | 'cohort.entered'
        | 'cohort.exited'
        | 'credit.applied'
        | 'credit.expired'
        | 'credit.granted'
        | 'credit.voided'
        | 'motion.accepted'
        | 'motion.applied'
        | 'motion.declined'
        | 'motion.expired'
        | 'motion.failed'
        | 'motion.presented'
        | 'motion.suppressed'
        | 'motion.triggered'
        | 'payment.disputed'
        | 'payment.due'
        | 'payment.failed'
        | 'payment.method_expiring'
        | 'payment.method_updated'
        | 'payment.recovered'
        | 'payment.recovery_lost'
        | 'payment.refund_failed'
        | 'payment.refund_requested'
        | 'payment.refunded'
        | 'payment.succeeded'
        | 'subscriber.created'
        | 'subscriber.erased'
        | 'subscriber.updated'
        | 'subscription.activated'
        | 'subscription.cancellation_scheduled'
        | 'subscription.cancellation_unscheduled'
        | 'subscription.cancelled'
        | 'subscription.discount_applied'
        | 'subscription.lapsed'
        | 'subscription.past_due'
        | 'subscription.pause_scheduled'
        | 'subscription.pause_unscheduled'
        | 'subscription.paused'
        | 'subscription.plan_changed'
        | 'subscription.reactivated'
        | 'subscription.renewal_upcoming'
        | 'subscription.renewed'
        | 'subscription.resumed'
        | 'subscription.trial_extended'
        | 'subscription.trial_started'
        | 'subscription.trial_will_end'
        | 'test.ping'
        | 'ticket.closed'
        | 'ticket.reopened'
        | 'ticket.resolved'
        | 'ticket.submitted'
        | 'ticket.updated';
    };
    Motion: {
      /** @description For how many days after an acceptance payments count as retained. */
      attribution_days: number;
      /** @description The ids of cohorts. */
      cohort_ids: string[];
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description A text for your own use. */
      description: string | null;
      /** @description The share of subscribers who are shown nothing, to compare with. */
      holdout_percent: number;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /**
       * @description What the motion is for.
       * @enum {string}
       */
      kind:
        | 'cancel_save'
        | 'payment_recovery'
        | 'win_back'
        | 'trial_conversion'
        | 'upsell'
        | 'announcement';
      /** @description How often the motion may be used. */
      limits: components['schemas']['MotionLimits'];
      /** @description A name for people to read. */
      name: string;
      /** @description What the subscriber is offered; null is no offer. */
      offer: components['schemas']['Offer'] | null;
      /** @description How many hours an offer can be accepted. */
      offer_valid_hours: number;
      /** @description How many runs ever reached each state. */
      stats: {
        /** @description Runs whose offer was accepted. */
        accepted: number;
        /** @description Runs whose offer was applied. */
        applied: number;
        /** @description Runs whose offer was declined. */
        declined: number;
        /** @description Runs whose offer expired. */
        expired: number;
        /** @description Runs whose offer could not be applied. */
        failed: number;
        /** @description Runs whose offer was presented. */
        presented: number;
        /** @description Runs of the holdout, whose offer was not shown. */
        suppressed: number;
        /** @description Runs that were triggered. */
        triggered: number;
      };
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status: 'draft' | 'active' | 'paused' | 'archived';
      /**
       * @description Whether you trigger the motion, or entering one of its cohorts does.
       * @enum {string}
       */
      trigger_mode: 'manual' | 'on_cohort_enter';
      /**
       * Format: date-time
       * @description When it was last changed.
       */
      updated_at: string;
    };
    MotionAcceptedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description Runs whose offer was applied. */
      applied: components['schemas']['AppliedOffer'] | null;
      /** @description The id of the motion; null without one. */
      motion_id: string;
      /** @description What the subscriber is offered; null is no offer. */
      offer: components['schemas']['Offer'] | null;
      /**
       * @description What came of it.
       * @enum {string}
       */
      outcome:
        | 'queued'
        | 'triggered'
        | 'presented'
        | 'accepted'
        | 'applied'
        | 'declined'
        | 'expired'
        | 'failed'
        | 'suppressed';
      /** @description Why it happened. */
      reason?: string | null;
      /** @description The id of the motion run. */
      run_id: string;
    };
    /** @description The subscriber accepted the offer of a motion. */
    MotionAcceptedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['MotionAcceptedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'motion.accepted';
    };
    /** @description An accepted offer was carried out. */
    MotionAppliedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['MotionAcceptedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'motion.applied';
    };
    /** @description The subscriber declined the offer of a motion. */
    MotionDeclinedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['MotionAcceptedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'motion.declined';
    };
    /** @description The offer of a motion was not answered in time. */
    MotionExpiredEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['MotionAcceptedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'motion.expired';
    };
    /** @description An accepted offer could not be carried out. `reason` says why. */
    MotionFailedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['MotionAcceptedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'motion.failed';
    };
    MotionLimits: {
      /** @description How many days must lie between two runs for a subscriber. */
      cooldown_days: number;
      /** @description How often a subscriber may accept it. */
      max_redemptions: number;
      /** @description How often it may be triggered for a subscriber; null is no limit. */
      max_triggers_per_subscriber: number | null;
    };
    MotionLimitsBody: {
      /**
       * @description How many days must lie between two runs for a subscriber.
       * @default 30
       */
      cooldown_days?: number;
      /**
       * @description How often a subscriber may accept it.
       * @default 1
       */
      max_redemptions?: number;
      /** @description Null = no limit. */
      max_triggers_per_subscriber?: number | null;
    };
    MotionList: {
      /** @description The objects of this page. */
      data: components['schemas']['Motion'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    MotionPerformance: {
      /** @description accepted ÷ presented, 0 when none. */
      acceptance_rate: number;
      /**
       * Format: date-time
       * @description When the numbers were computed.
       */
      computed_at: string;
      /** @description How many runs ever reached each state. */
      counts: {
        /** @description Runs whose offer was accepted. */
        accepted: number;
        /** @description Runs whose offer was applied. */
        applied: number;
        /** @description Runs whose offer was declined. */
        declined: number;
        /** @description Runs whose offer expired. */
        expired: number;
        /** @description Runs whose offer could not be applied. */
        failed: number;
        /** @description Runs whose offer was presented. */
        presented: number;
        /** @description Runs of the holdout, whose offer was not shown. */
        suppressed: number;
        /** @description Runs that were triggered. */
        triggered: number;
      };
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: string;
      /**
       * @description The length of a bucket.
       * @enum {string}
       */
      granularity: 'day' | 'week' | 'month';
      /** @description Retention of triggered minus retention of held out, each looked at 30 days later as for save_rate; null without a holdout. */
      lift: number | null;
      /** @description True while an acceptance is less than 30 days old, so `save_rate` may still change. */
      maturing: boolean;
      /** @description The id of the motion; null without one. */
      motion_id: string;
      /** @description Discounts and credits used in that time, those that left nothing to pay included. */
      offer_cost: number;
      /** @description One point for each bucket, oldest first. */
      points: {
        /** @description accepted ÷ presented, 0 when none. */
        acceptance_rate: number;
        /** @description How many runs ever reached each state. */
        counts: {
          /** @description Runs whose offer was accepted. */
          accepted: number;
          /** @description Runs whose offer was applied. */
          applied: number;
          /** @description Runs whose offer was declined. */
          declined: number;
          /** @description Runs whose offer expired. */
          expired: number;
          /** @description Runs whose offer could not be applied. */
          failed: number;
          /** @description Runs whose offer was presented. */
          presented: number;
          /** @description Runs of the holdout, whose offer was not shown. */
          suppressed: number;
          /** @description Runs that were triggered. */
          triggered: number;
        };
        /** @description True while an acceptance is less than 30 days old, so `save_rate` may still change. */
        maturing: boolean;
        /** @description Discounts and credits used in that time, those that left nothing to pay included. */
        offer_cost: number;
        /** @description Whether the window cuts the bucket, or it is not over. */
        partial: boolean;
        /** @description Payments that succeeded within attribution_days of an acceptance. */
        retained_revenue: number;
        /** @description Of the subscribers who accepted, the share that is neither cancelled nor lapsed 30 days later. A cancellation that was undone within these days does not count. A subscriber is kept as long as one of their subscriptions runs. Until the 30 days are over, the current status counts, and `maturing` is true. */
        save_rate: number;
        /**
         * Format: date-time
         * @description When the bucket begins.
         */
        timestamp: string;
      }[];
      /** @description Payments that succeeded within attribution_days of an acceptance. */
      retained_revenue: number;
      /** @description Of the subscribers who accepted, the share that is neither cancelled nor lapsed 30 days later. A cancellation that was undone within these days does not count. A subscriber is kept as long as one of their subscriptions runs. Until the 30 days are over, the current status counts, and `maturing` is true. */
      save_rate: number;
      /**
       * @description The time that the series covers.
       * @enum {string}
       */
      window: 'last_7d' | 'last_30d' | 'last_90d' | 'last_12mo' | 'all_time';
    };
    /** @description The offer of a motion was presented to the subscriber. */
    MotionPresentedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['MotionAcceptedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'motion.presented';
    };
    MotionRun: {
      /**
       * Format: date-time
       * @description When the offer was accepted; null before.
       */
      accepted_at: string | null;
      /** @description What the accepted offer led to; null before. */
      applied: components['schemas']['AppliedOffer'] | null;
      /** @description The id of the cohort; null without one. */
      cohort_id: string | null;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the run came to its end; null before.
       */
      ended_at: string | null;
      /**
       * Format: date-time
       * @description When it ends; null is never.
       */
      expires_at: string;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /**
       * @description What the motion is for.
       * @enum {string}
       */
      kind?:
        | 'cancel_save'
        | 'payment_recovery'
        | 'win_back'
        | 'trial_conversion'
        | 'upsell'
        | 'announcement';
      /** @description The id of the motion; null without one. */
      motion_id: string;
      /** @description What the subscriber is offered; null is no offer. */
      offer: components['schemas']['Offer'] | null;
      /** @description Whether the offer was given with the trigger instead of taken from the motion. */
      offer_overridden: boolean;
      /**
       * Format: date-time
       * @description When the offer was presented; null before.
       */
      presented_at: string | null;
      /** @description Why it happened. */
      reason?: string | null;
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status:
        | 'queued'
        | 'triggered'
        | 'presented'
        | 'accepted'
        | 'applied'
        | 'declined'
        | 'expired'
        | 'failed'
        | 'suppressed';
      /** @description The id of the subscriber. */
      subscriber_id: string;
    };
    MotionRunList: {
      /** @description The objects of this page. */
      data: components['schemas']['MotionRun'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    MotionsListQuery: {
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /**
       * @description Only those in this status.
       * @enum {string}
       */
      status?: 'draft' | 'active' | 'paused' | 'archived';
    };
    MotionsListRunsQuery: {
      /**
       * Format: date-time
       * @description Only objects created at this moment or later.
       */
      created_after?: string;
      /**
       * Format: date-time
       * @description Only objects created before this moment.
       */
      created_before?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /**
       * @description Only those in this status.
       * @enum {string}
       */
      status?:
        | 'queued'
        | 'triggered'
        | 'presented'
        | 'accepted'
        | 'applied'
        | 'declined'
        | 'expired'
        | 'failed'
        | 'suppressed';
      /** @description Only those of this subscriber. */
      subscriber_id?: string;
    };
    MotionsPerformanceQuery: {
      /**
       * @description The length of a bucket.
       * @default day
       * @enum {string}
       */
      granularity?: 'day' | 'week' | 'month';
      /**
       * @description The time that the series covers, in whole UTC days and months.
       * @default last_30d
       * @enum {string}
       */
      window?: 'last_7d' | 'last_30d' | 'last_90d' | 'last_12mo' | 'all_time';
    };
    /** @description The subscriber belongs to the holdout of a motion and is shown nothing, to compare with. */
    MotionSuppressedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['MotionAcceptedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'motion.suppressed';
    };
    MotionTriggeredData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description The id of the cohort; null without one. */
      cohort_id: string | null;
      /**
       * Format: date-time
       * @description When it ends; null is never.
       */
      expires_at: string;
      /**
       * @description The kind of the object.
       * @enum {string}
       */
      kind:
        | 'cancel_save'
        | 'payment_recovery'
        | 'win_back'
        | 'trial_conversion'
        | 'upsell'
        | 'announcement';
      /** @description The id of the motion; null without one. */
      motion_id: string;
      /** @description The name of the motion. */
      motion_name: string;
      /** @description What the subscriber is offered; null is no offer. */
      offer: components['schemas']['Offer'] | null;
      /** @description Whether the offer was given with the trigger instead of taken from the motion. */
      offer_overridden: boolean;
      /** @description The id of the motion run. */
      run_id: string;
    };
    /** @description A motion was triggered for a subscriber. Show the offer to the subscriber and report what came of it. */
    MotionTriggeredEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['MotionTriggeredData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'motion.triggered';
    };
    /** @description An object by its id. */
    ObjectId: {
      /** @description The id of the object. */
      id: string;
    };
    Offer:
      | {
          /**
           * @description Whether it counts for one period, for the periods of some months, or for ever.
           * @enum {string}
           */
          duration: 'once' | 'repeating' | 'forever';
          /** @description For how many months a `repeating` discount counts. */
          months?: number;
          /** @description How many percent are taken off. */
          percent: number;
          /**
           * @description The type of the object.
           * @constant
           */
          type: 'discount_percent';
        }
      | {
          /** @description in minor units of the currency */
          amount: number;
          /** @description The currency: an ISO 4217 code in upper case. */
          currency: string;
          /**
           * @description Whether it counts for one period, for the periods of some months, or for ever.
           * @enum {string}
           */
          duration: 'once' | 'repeating' | 'forever';
          /** @description For how many months a `repeating` discount counts. */
          months?: number;
          /**
           * @description The type of the object.
           * @constant
           */
          type: 'discount_amount';
        }
      | {
          /** @description A number of days. */
          days: number;
          /**
           * @description The type of the object.
           * @constant
           */
          type: 'pause';
        }
      | {
          /**
           * @description How unused and new time are settled.
           * @enum {string}
           */
          proration_behavior: 'create_prorations' | 'none' | 'always_invoice';
          /** @description The plan after the change. */
          to_plan: string;
          /**
           * @description The type of the object.
           * @constant
           */
          type: 'plan_switch';
        }
      | {
          /** @description A number of days. */
          days: number;
          /**
           * @description The type of the object.
           * @constant
           */
          type: 'trial_extension';
        }
      | {
          /** @description in minor units of the currency */
          amount: number;
          /** @description The currency: an ISO 4217 code in upper case. */
          currency: string;
          /** @description After how many days the credit expires; never where left out. */
          expires_in_days?: number;
          /**
           * @description The type of the object.
           * @constant
           */
          type: 'credit';
        }
      | {
          /** @description The text of the link. */
          label: string;
          /**
           * @description The type of the object.
           * @constant
           */
          type: 'redirect';
          /** @description The address. */
          url: string;
        };
    OfferBody: {
      /** @description In minor units. */
      amount?: number;
      /** @description The currency: an ISO 4217 code in upper case. */
      currency?: components['schemas']['CurrencyCode'];
      /** @description Of `pause` (to 365) and `trial_extension`. */
      days?: number;
      /**
       * @description Of discounts. One counts at a time, the one that takes the most off a period: of several that were accepted, the others wait. `once` is for the next whole period: what a plan change prorates of the running one is left as it is. Only one can last `forever`, the newest.
       * @enum {string}
       */
      duration?: 'once' | 'repeating' | 'forever';
      /** @description Of `credit`; never without it. */
      expires_in_days?: number;
      /** @description Of `redirect`. */
      label?: string;
      /** @description Of the duration `repeating`: it counts for periods that begin within so many months of the acceptance. Where none does, as with 3 months in the first half of a year that is paid, the offer is not applicable. */
      months?: number;
      /** @description Of `discount_percent`. */
      percent?: number;
      /**
       * @description How unused and new time are settled.
       * @default create_prorations
       * @enum {string}
       */
      proration_behavior?: 'create_prorations' | 'none' | 'always_invoice';
      /** @description Plan id, of `plan_switch`. */
      to_plan?: string;
      /**
       * @description The type of the offer. It decides which other fields there are.
       * @example pause
       * @enum {string}
       */
      type:
        | 'discount_percent'
        | 'discount_amount'
        | 'pause'
        | 'plan_switch'
        | 'trial_extension'
        | 'credit'
        | 'redirect';
      /**
       * Format: uri
       * @description Of `redirect`.
       */
      url?: string;
    } & (
      | {
          /**
           * @description The type of the offer. It decides which other fields there are.
           * @constant
           */
          type?: 'discount_percent';
        }
      | {
          /**
           * @description The type of the offer. It decides which other fields there are.
           * @constant
           */
          type?: 'discount_amount';
        }
      | {
          /**
           * @description The type of the offer. It decides which other fields there are.
           * @constant
           */
          type?: 'pause';
        }
      | {
          /**
           * @description The type of the offer. It decides which other fields there are.
           * @constant
           */
          type?: 'plan_switch';
        }
      | {
          /**
           * @description The type of the offer. It decides which other fields there are.
           * @constant
           */
          type?: 'trial_extension';
        }
      | {
          /**
           * @description The type of the offer. It decides which other fields there are.
           * @constant
           */
          type?: 'credit';
        }
      | {
          /**
           * @description The type of the offer. It decides which other fields there are.
           * @constant
           */
          type?: 'redirect';
        }
    );
    OperationalEvent: {
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description What happened; the type says which fields there are. */
      data: {
        [key: string]: unknown;
      };
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /**
       * @description The type of the object.
       * @enum {string}
       */
      type:
        'destination.failing' | 'destination.disabled' | 'destination.enabled' | 'replay.completed';
    };
    OperationalEventList: {
      /** @description The objects of this page. */
      data: components['schemas']['OperationalEvent'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    OperationalEventsListQuery: {
      /**
       * Format: date-time
       * @description Only objects created at this moment or later.
       */
      created_after?: string;
      /**
       * Format: date-time
       * @description Only objects created before this moment.
       */
      created_before?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /**
       * @description Only those of this type.
       * @enum {string}
       */
      type?:
        'destination.failing' | 'destination.disabled' | 'destination.enabled' | 'replay.completed';
    };
    OutboxMessage: {
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description The id of the destination. */
      destination_id: string;
      /** @description The id of the event. Receivers recognise repeats by it. */
      event_id: string;
      /** @description The sender. */
      from: string | null;
      /** @description The headers. */
      headers: {
        [key: string]: string;
      } | null;
      /** @description The id of the e-mail. */
      message_id: string | null;
      /** @description The address for replies; null is the sender. */
      reply_to: string | null;
      /** @description The subject. */
      subject: string | null;
      /** @description The text of the e-mail. */
      text: string | null;
      /** @description The recipient. */
      to: string | null;
    };
    OutboxMessageList: {
      /** @description The objects of this page. */
      data: components['schemas']['OutboxMessage'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    PauseBody: {
      /**
       * @description `immediately` freezes what is left of the period or trial.
       * @default period_end
       * @example period_end
       * @enum {string}
       */
      effective?: 'period_end' | 'immediately';
      /**
       * Format: date-time
       * @description Resumes by itself at this moment.
       */
      resumes_at?: string | null;
    };
    Payment: {
      /** @description in minor units of the currency */
      amount: number;
      /** @description in minor units of the currency */
      amount_refunded: number;
      /** @description How many attempts there were. */
      attempt_count: number;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description in minor units of the currency */
      credit_applied: number;
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: string;
      /** @description Why the latest attempt failed; null where none did. */
      failure: components['schemas']['PaymentFailure'] | null;
      /**
       * Format: date-time
       * @description When the subscription lapses if it is still unpaid; null where nothing is open.
       */
      grace_ends_at: string | null;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /** @description What the amount is made of. */
      lines: components['schemas']['Line'][];
      /**
       * Format: date-time
       * @description When the next attempt is planned; null where none is.
       */
      next_attempt_at: string | null;
      /** @description How it is paid; null where there is no method. */
      payment_method: components['schemas']['PaymentMethod'] | null;
      /**
       * Format: date-time
       * @description When the period ends.
       */
      period_end: string;
      /**
       * Format: date-time
       * @description When the period begins.
       */
      period_start: string;
      /**
       * @description `test` in test environments, `external` where you collect the money yourself.
       * @enum {string}
       */
      provider: 'test' | 'external';
      /** @description The reference of your payment provider; null without one. */
      provider_ref: string | null;
      /**
       * @description Why it happened.
       * @enum {string}
       */
      reason:
        | 'subscription_start'
        | 'renewal'
        | 'trial_conversion'
        | 'plan_change'
        | 'resume'
        | 'reactivation'
        | 'manual';
      /** @description The recovery case that the first failed attempt of a recurring payment opened; null without one. */
      recovery: components['schemas']['Recovery'] | null;
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
      /** @description The id of the subscriber. */
      subscriber_id: string;
      /** @description The id of the subscription. */
      subscription_id: string;
      /**
       * Format: date-time
       * @description When it succeeded; null before.
       */
      succeeded_at: string | null;
    };
    PaymentAttempt: {
      /** @description in minor units of the currency */
      amount: number;
      /** @description The number of the attempt, from 1. */
      attempt: number;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: string;
      /** @description Why the latest attempt failed; null where none did. */
      failure: components['schemas']['PaymentFailure'] | null;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /**
       * @description What came of it.
       * @enum {string}
       */
      outcome: 'pending' | 'succeeded' | 'failed';
      /** @description The id of the payment; null where no payment is involved. */
      payment_id: string;
      /** @description How it is paid; null where there is no method. */
      payment_method: components['schemas']['PaymentMethod'] | null;
      /** @description The reference of your payment provider; null without one. */
      provider_ref: string | null;
    };
    PaymentAttemptList: {
      /** @description The objects of this page. */
      data: components['schemas']['PaymentAttempt'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    PaymentDisputedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description in minor units of the currency */
      amount: number;
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: string;
      /**
       * @description The state of the dispute. `won` and `lost` are final.
       * @enum {string}
       */
      dispute_status: 'open' | 'won' | 'lost';
      /** @description The id of the payment; null where no payment is involved. */
      payment_id: string;
    };
    /** @description A payment was disputed, or a dispute was won or lost. */
    PaymentDisputedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['PaymentDisputedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'payment.disputed';
    };
    PaymentDueData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /**
       * Format: date-time
       * @description When the payment became due.
       */
      due_at: string;
      /**
       * Format: date-time
       * @description When the subscription lapses if it is still unpaid; null where nothing is open.
       */
      grace_ends_at: string;
      /** @description The payment as it is after the event. */
      payment: components['schemas']['Payment'];
    };
    /** @description An amount must be collected by your own payment provider. Report the outcome with `payments.reportAttempt`. */
    PaymentDueEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['PaymentDueData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'payment.due';
    };
    PaymentFailedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description The number of the attempt, from 1. */
      attempt: number;
      /** @description Why the latest attempt failed; null where none did. */
      failure: components['schemas']['PaymentFailure'];
      /** @description whether this attempt ended the payment: true exactly where `payment.status` is `failed`. While a renewal is in its grace period it is false, also for the last planned attempt (`next_attempt_at` null): until `payment.grace_ends_at` a new payment method can still pay. Unpaid then, the payment fails with `subscription.lapsed`, which names it */
      final: boolean;
      /**
       * Format: date-time
       * @description null where no further attempt is planned
       */
      next_attempt_at: string | null;
      /** @description The payment as it is after the event. */
      payment: components['schemas']['Payment'];
    };
    /** @description An attempt to collect a payment failed. `next_attempt_at` says when it is tried again. */
    PaymentFailedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['PaymentFailedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'payment.failed';
    };
    PaymentFailure: {
      /** @description The code of the error. Programs decide by it. */
      code: string;
      /**
       * @description `soft` may succeed later; `hard` needs another payment method.
       * @enum {string}
       */
      decline_type: 'soft' | 'hard';
      /** @description What went wrong, for people. The text may change. */
      message?: string | null;
    };
    PaymentList: {
      /** @description The objects of this page. */
      data: components['schemas']['Payment'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    PaymentMethod: {
      /** @description The brand of the card, such as `visa`; null where unknown. */
      brand: string | null;
      /** @description The month in which the card expires; null where unknown. */
      exp_month: number | null;
      /** @description The year in which the card expires; null where unknown. */
      exp_year: number | null;
      /** @description The last four characters; null where unknown. */
      last4: string | null;
      /** @description The type of the method, such as `card`. */
      type: string;
    };
    PaymentMethodBody: {
      /**
       * @description In test environments a `pm_test_…` method; live, your provider's reference.
       * @example pm_test_ok
       */
      payment_method: string;
    };
    PaymentMethodExpiringData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description How it is paid; null where there is no method. */
      payment_method: components['schemas']['PaymentMethod'];
    };
    /** @description The card of a subscription expires within 30 days. */
    PaymentMethodExpiringEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['PaymentMethodExpiringData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'payment.method_expiring';
    };
    /** @description The payment method of a subscription was replaced. */
    PaymentMethodUpdatedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['PaymentMethodExpiringData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'payment.method_updated';
    };
    PaymentRecoveredData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description in minor units of the currency */
      amount: number;
      /** @description How many attempts there were. */
      attempts: number;
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: string;
      /**
       * Format: date-time
       * @description When the first attempt failed.
       */
      first_failed_at: string;
      /** @description The id of the motion; null without one. */
      motion_id: string | null;
      /** @description The id of the payment; null where no payment is involved. */
      payment_id: string;
      /**
       * @description Where it comes from.
       * @enum {string}
       */
      source: 'retry' | 'method_update' | 'motion' | 'manual';
    };
    /** @description A recurring payment that had failed was paid after all. The event comes after `payment.succeeded`. */
    PaymentRecoveredEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['PaymentRecoveredData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'payment.recovered';
    };
    PaymentRecoveryLostData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description in minor units of the currency */
      amount: number;
      /** @description How many attempts there were. */
      attempts: number;
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: string;
      /**
       * Format: date-time
       * @description When the first attempt failed.
       */
      first_failed_at: string;
      /**
       * @description What came of it.
       * @enum {string}
       */
      outcome: 'lost_passive' | 'lost_active';
      /** @description The id of the payment; null where no payment is involved. */
      payment_id: string;
    };
    /** @description A recurring payment that had failed will not be paid: the subscription lapsed or was cancelled. */
    PaymentRecoveryLostEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['PaymentRecoveryLostData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'payment.recovery_lost';
    };
    /** @description A refund was paid out, wholly or in part. */
    PaymentRefundedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['PaymentRefundFailedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'payment.refunded';
    };
    PaymentRefundFailedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description in minor units of the currency */
      amount_refunded_total: number;
      /** @description The refund as it is after the event. */
      refund: components['schemas']['Refund'];
    };
    /** @description A refund could not be paid out. */
    PaymentRefundFailedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['PaymentRefundFailedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'payment.refund_failed';
    };
    PaymentRefundRequestedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description The refund as it is after the event. */
      refund: components['schemas']['Refund'];
    };
    /** @description A refund must be paid out by your own payment provider. Report the outcome with `refunds.reportOutcome`. */
    PaymentRefundRequestedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['PaymentRefundRequestedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'payment.refund_requested';
    };
    PaymentsListAttemptsQuery: {
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
    };
    PaymentsListQuery: {
      /**
       * Format: date-time
       * @description Only objects created at this moment or later.
       */
      created_after?: string;
      /**
       * Format: date-time
       * @description Only objects created before this moment.
       */
      created_before?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /**
       * @description Only those in this status.
       * @enum {string}
       */
      status?: 'pending' | 'succeeded' | 'failed' | 'cancelled';
      /** @description Only those of this subscriber. */
      subscriber_id?: string;
      /** @description Only those of this subscription. */
      subscription_id?: string;
    };
    PaymentSucceededData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description Whether it is the first payment of the subscriber that succeeded. */
      first_payment: boolean;
      /** @description The payment as it is after the event. */
      payment: components['schemas']['Payment'];
    };
    /** @description A payment succeeded, at the first or a later attempt. */
    PaymentSucceededEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['PaymentSucceededData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'payment.succeeded';
    };
    Plan: {
      /** @description in minor units of the currency */
      amount: number;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: string;
      /** @description Your own id of the object, unique in its environment; null where you gave none. */
      external_id: string | null;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /**
       * @description The unit of a period.
       * @enum {string}
       */
      interval: 'day' | 'week' | 'month' | 'year';
      /** @description How many of the unit a period has: 3 and `month` is a quarter. */
      interval_count: number;
      /** @description A name for people to read. */
      name: string;
      /** @description The length of the trial in days; 0 is no trial. */
      trial_days: number;
      /**
       * Format: date-time
       * @description When it was last changed.
       */
      updated_at: string;
      /** @description The number of the version. */
      version: number;
    };
    PlanList: {
      /** @description The objects of this page. */
      data: components['schemas']['Plan'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    PlanPreview: {
      /**
       * @description When the lines are charged or credited.
       * @enum {string}
       */
      applied: 'next_renewal' | 'immediately' | 'none';
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: string;
      /**
       * Format: date-time
       * @description When the running period ends.
       */
      current_period_end: string;
      /**
       * Format: date-time
       * @description When the running period began.
       */
      current_period_start: string;
      /**
       * @description Whether the new plan costs more or less a month than the old one, or the same.
       * @enum {string}
       */
      direction: 'upgrade' | 'downgrade' | 'lateral';
      /** @description The plan before the change. */
      from_plan: string;
      /** @description What the amount is made of. */
      lines: components['schemas']['Line'][];
      /** @description in minor units of the currency */
      net: number;
      /**
       * @description How unused and new time are settled.
       * @enum {string}
       */
      proration_behavior: 'create_prorations' | 'none' | 'always_invoice';
      /**
       * Format: date-time
       * @description The moment from which time is prorated.
       */
      proration_date: string;
      /** @description The plan after the change. */
      to_plan: string;
    };
    PlansListQuery: {
      /**
       * Format: date-time
       * @description Only objects created at this moment or later.
       */
      created_after?: string;
      /**
       * Format: date-time
       * @description Only objects created before this moment.
       */
      created_before?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
    };
    PreviewBody: {
      /** @description The id of the event. Receivers recognise repeats by it. */
      event_id: string;
      /**
       * @description How much of the person is sent: all, no e-mail address and no free text, or ids alone.
       * @enum {string}
       */
      pii_mode?: 'full' | 'hashed_only' | 'minimal';
      /** @description The version of the catalogue that the event is written in. */
      schema_version?: string;
    };
    PreviewCohortBody: {
      /**
       * @description Fields are AND-ed; `{}` is everyone.
       * @example {
       *       "status": [
       *         "active"
       *       ],
       *       "tags_include": [
       *         "vip"
       *       ]
       *     }
       */
      definition: components['schemas']['CohortDefinitionBody'];
    };
    Proration: {
      /**
       * @description Runs whose offer was applied.
       * @enum {string}
       */
      applied: 'next_renewal' | 'immediately' | 'none';
      /**
       * @description How unused and new time are settled.
       * @enum {string}
       */
      behavior: 'create_prorations' | 'none' | 'always_invoice';
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: string;
      /** @description What the amount is made of. */
      lines: components['schemas']['Line'][];
      /** @description in minor units of the currency */
      net: number;
      /**
       * Format: date-time
       * @description The moment from which time is prorated.
       */
      proration_date: string;
    };
    ProviderOutcomeBody: {
      /** @description Why the latest attempt failed; null where none did. */
      failure?: components['schemas']['FailureBody'];
      /**
       * Format: date-time
       * @description Not in the future; now where left out.
       */
      occurred_at?: string;
      /**
       * @description What came of it.
       * @enum {string}
       */
      outcome: 'succeeded' | 'failed';
      /** @description The same reference again changes nothing. */
      provider_ref?: string;
    };
    Recovery: {
      /** @description How many attempts there were. */
      attempts: number;
      /**
       * Format: date-time
       * @description When the first attempt failed.
       */
      first_failed_at: string;
      /** @description The id of the motion; null without one. */
      motion_id: string | null;
      /**
       * @description What came of it.
       * @enum {string}
       */
      outcome: 'open' | 'recovered' | 'lost_passive' | 'lost_active';
      /**
       * Format: date-time
       * @description When the payment succeeded after all; null before.
       */
      recovered_at: string | null;
      /**
       * @description Where it comes from.
       * @enum {string|null}
       */
      source: 'retry' | 'method_update' | 'motion' | 'manual' | null;
    };
    Refund: {
      /** @description in minor units of the currency */
      amount: number;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description The id of the credit; null without one. */
      credit_id: string | null;
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: string;
      /**
       * @description Where the money goes: back to the payment method, or to a credit.
       * @enum {string}
       */
      destination: 'original' | 'credit';
      /** @description Why the latest attempt failed; null where none did. */
      failure: components['schemas']['PaymentFailure'] | null;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /** @description A note for your team. Personal: shown with the scope `pii:read` only. */
      note?: string | null;
      /** @description The id of the payment; null where no payment is involved. */
      payment_id: string;
      /** @description The reference of your payment provider; null without one. */
      provider_ref: string | null;
      /**
       * @description Why it happened.
       * @enum {string}
       */
      reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | 'other';
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
      /** @description The id of the subscriber. */
      subscriber_id: string;
      /** @description The id of the subscription. */
      subscription_id: string;
      /**
       * Format: date-time
       * @description When it succeeded; null before.
       */
      succeeded_at: string | null;
      /** @description The id of the ticket that led to it; null without one. */
      ticket_id: string | null;
    };
    RefundList: {
      /** @description The objects of this page. */
      data: components['schemas']['Refund'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    RefundsListQuery: {
      /**
       * Format: date-time
       * @description Only objects created at this moment or later.
       */
      created_after?: string;
      /**
       * Format: date-time
       * @description Only objects created before this moment.
       */
      created_before?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Only those of this payment. */
      payment_id?: string;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /**
       * @description Only those in this status.
       * @enum {string}
       */
      status?: 'pending' | 'succeeded' | 'failed' | 'cancelled';
      /** @description Only those of this subscriber. */
      subscriber_id?: string;
    };
    RegisterDestinationBody: {
      /** @description A text for your own use. */
      description?: string | null;
      /**
       * Format: email
       * @description Support address. Required for `email_fallback`, and only for it.
       */
      email?: string;
      /**
       * @description Types, families such as `payment.*`, or `*`. Every type where left out. An e-mail destination takes `ticket.submitted` only.
       * @example [
       *       "payment.*",
       *       "ticket.submitted"
       *     ]
       */
      event_types?: string[] | null;
      /**
       * @description Deliveries under way at a time.
       * @default 50
       */
      max_in_flight?: number;
      /**
       * @description Per subscriber: a newer event waits 5 minutes behind a failing one, or (`strict`) until it is done.
       * @default relaxed
       * @enum {string}
       */
      ordering?: 'relaxed' | 'strict';
      /**
       * @description How much of the person is sent: all, no e-mail address and no free text, or ids alone.
       * @default full
       * @enum {string}
       */
      pii_mode?: 'full' | 'hashed_only' | 'minimal';
      /** @description How many deliveries may begin in a second; null is no limit. */
      rate_limit_per_second?: number | null;
      /**
       * @description `email_fallback`: Reply-To is the subscriber's address.
       * @default false
       */
      reply_to_subscriber?: boolean;
      /** @description Pins the schema version. */
      schema_version?: string | null;
      /** @description `email_fallback`: text with `{{dotted.path}}` placeholders: `[{{data.topic}}] {{data.subject}}`. */
      subject_template?: string | null;
      /**
       * @description `off`: webhooks have no `traceparent`. The delivery log still names the trace.
       * @default on
       * @enum {string}
       */
      trace_headers?: 'on' | 'off';
      /**
       * @description The type of the object.
       * @enum {string}
       */
      type: 'https_webhook' | 'email_fallback';
      /**
       * @description Where events are POSTed. Required for `https_webhook`, and only for it. White space and control characters must be encoded.
       * @example https://example.com/webhooks
       */
      url?: string;
    } & (
      | {
          /**
           * @description The type of the object.
           * @constant
           */
          type?: 'https_webhook';
        }
      | {
          /**
           * @description The type of the object.
           * @constant
           */
          type?: 'email_fallback';
        }
    );
    RegisteredDestination: {
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it was deleted; null where it is not.
       */
      deleted_at: string | null;
      /** @description A text for your own use. */
      description: string | null;
      /**
       * Format: date-time
       * @description When it was disabled; null where it is not.
       */
      disabled_at: string | null;
      /**
       * @description Why it is disabled; null where it is not.
       * @enum {string|null}
       */
      disabled_reason: 'gone' | 'failing' | 'manual' | null;
      /** @description The e-mail address. Personal: left out without the scope `pii:read`. */
      email?: string;
      /**
       * @description The environment: `live` or `test`. The two never mix.
       * @enum {string}
       */
      environment: 'live' | 'test';
      /** @description Types of events, or families such as `payment.*`; null is every type. */
      event_types: string[] | null;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /** @description How many deliveries may be under way at a time. */
      max_in_flight: number;
      /**
       * @description Whether a failing delivery holds back later events of its subscriber for 5 minutes or until it is done.
       * @enum {string}
       */
      ordering: 'relaxed' | 'strict';
      /**
       * @description How much of the person is sent: all, no e-mail address and no free text, or ids alone.
       * @enum {string}
       */
      pii_mode: 'full' | 'hashed_only' | 'minimal';
      /** @description How many deliveries may begin in a second; null is no limit. */
      rate_limit_per_second: number | null;
      /**
       * Format: date-time
       * @description Until when it can be restored; null where it is not deleted.
       */
      recoverable_until: string | null;
      /** @description Whether a reply goes to the subscriber. */
      reply_to_subscriber?: boolean;
      /** @description The version of the catalogue that the event is written in. */
      schema_version: string;
      /** @description The secret that deliveries are signed with. It is shown this once. */
      signing_secret?: string;
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status: 'active' | 'disabled' | 'deleted';
      /** @description The template of the subject; null is the standard one. */
      subject_template?: string | null;
      /**
       * @description Whether deliveries carry the trace of the request in `traceparent`: `on`, or `off`.
       * @enum {string}
       */
      trace_headers: 'on' | 'off';
      /**
       * @description The type of the object.
       * @enum {string}
       */
      type: 'https_webhook' | 'email_fallback';
      /** @description The address. */
      url?: string;
    };
    Replay: {
      /** @description The ids of cohorts. */
      cohort_ids: string[] | null;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /**
       * @description Whether events that the destination has already answered with a 2xx are sent again.
       * @enum {string}
       */
      dedupe_strategy: 'skip_existing' | 'force_redeliver';
      /** @description The id of the destination. */
      destination_id: string;
      /**
       * Format: date-time
       * @description The end of the window, or the moment of the acceptance where that was earlier.
       */
      effective_to: string;
      /**
       * Format: date-time
       * @description When the replay will probably be done.
       */
      estimated_completion_at: string;
      /** @description How many events will be sent, as counted at acceptance. */
      estimated_event_count: number;
      /** @description Types of events, or families such as `payment.*`; null is every type. */
      event_types: string[] | null;
      /** @description How many events were delivered. */
      events_delivered: number;
      /** @description How many events used up their attempts. */
      events_failed: number;
      /** @description As counted at acceptance; at the end without those that were gone from the log by then. */
      events_matched: number;
      /** @description How many events are still to be sent. */
      events_pending: number;
      /** @description How many events were left out because the destination has them already. */
      events_skipped: number;
      /** @description Why the work could not go on; null where it could. */
      failure_reason: string | null;
      /**
       * Format: date-time
       * @description When the work ended; null before.
       */
      finished_at: string | null;
      /**
       * Format: date-time
       * @description The beginning of the window, inclusive.
       */
      from: string;
      /** @description How many events are sent in a second at most; null is no limit. */
      rate_per_second: number | null;
      /** @description The id of the replay; null for live deliveries. */
      replay_id: string;
      /** @description The id of the replay whose failed events are sent again; null without one. */
      retry_of: string | null;
      /**
       * Format: date-time
       * @description When the work began; null while it is queued.
       */
      started_at: string | null;
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status:
        'queued' | 'in_progress' | 'completed' | 'completed_with_errors' | 'cancelled' | 'failed';
      /** @description Only these subscribers; null is all. */
      subscriber_ids: string[] | null;
      /**
       * Format: date-time
       * @description The end of the window, exclusive.
       */
      to: string;
    };
    ReplayDryRun: {
      /** @description The id of the destination. */
      destination_id: string;
      /**
       * @description Always true: nothing was sent.
       * @constant
       */
      dry_run: true;
      /**
       * Format: date-time
       * @description The end of the window, or the moment of the acceptance where that was earlier.
       */
      effective_to: string;
      /** @description How many events will be sent, as counted at acceptance. */
      estimated_event_count: number;
      /** @description How many events the window and the filters select. */
      events_matched: number;
      /** @description How many events were left out because the destination has them already. */
      events_skipped: number;
      /** @description The first event that would be sent; null where none would. */
      first_event: {
        /**
         * Format: date-time
         * @description When it was created.
         */
        created_at: string;
        /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
        id: string;
      } | null;
      /**
       * Format: date-time
       * @description The beginning of the window, inclusive.
       */
      from: string;
      /** @description The last event that would be sent; null where none would. */
      last_event: {
        /**
         * Format: date-time
         * @description When it was created.
         */
        created_at: string;
        /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
        id: string;
      } | null;
      /**
       * Format: date-time
       * @description The end of the window, exclusive.
       */
      to: string;
    };
    ReplayFailure: {
      /** @description How many attempts there were. */
      attempts: number;
      /** @description The id of the event. Receivers recognise repeats by it. */
      event_id: string;
      /** @description The type of the event. */
      event_type: string;
      /**
       * Format: date-time
       * @description When the latest attempt was made; null before the first.
       */
      last_attempt_at: string;
      /** @description Why the latest attempt failed; null where it did not. */
      last_error: string | null;
      /** @description The HTTP status of the latest answer; null where none came. */
      last_status_code: number | null;
    };
    ReplayFailureList: {
      /** @description The objects of this page. */
      data: components['schemas']['ReplayFailure'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    ReplayList: {
      /** @description The objects of this page. */
      data: components['schemas']['Replay'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    ReplaysListFailuresQuery: {
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
    };
    ReplaysListQuery: {
      /**
       * Format: date-time
       * @description Only objects created at this moment or later.
       */
      created_after?: string;
      /**
       * Format: date-time
       * @description Only objects created before this moment.
       */
      created_before?: string;
      /** @description Only those of this destination. */
      destination_id?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /**
       * @description Only those in this status.
       * @enum {string}
       */
      status?:
        'queued' | 'in_progress' | 'completed' | 'completed_with_errors' | 'cancelled' | 'failed';
    };
    RequestReplayBody: {
      /** @description Only members of these cohorts at acceptance, and `subscriber_ids`. */
      cohort_ids?: string[];
      /**
       * @description `skip_existing` leaves out events the destination has already answered with a 2xx, as far as the delivery log knows (30 days; older events are sent); `force_redeliver` sends all.
       * @default skip_existing
       * @enum {string}
       */
      dedupe_strategy?: 'skip_existing' | 'force_redeliver';
      /**
       * @description A registered destination. Required without `retry_of`.
       * @example dest_0k3v9c2m8x7q1z5n
       */
      destination_id?: string;
      /**
       * @description Answers the count and sends nothing.
       * @default false
       */
      dry_run?: boolean;
      /**
       * @description Types, families such as `payment.*`, or `*`; all types where left out.
       * @example [
       *       "payment.*",
       *       "ticket.submitted"
       *     ]
       */
      event_types?: string[];
      /**
       * Format: date-time
       * @description Of the events' `created_at`, inclusive; within the last 24 months: the example is last month's. Required without `retry_of`.
       * @example 2026-02-01T00:00:00.000Z
       */
      from?: string;
      /** @description Events per second at most. Without it as fast as the destination's limits allow, behind live deliveries. */
      rate_per_second?: number;
      /** @description A replay that has ended: its failed events are sent again, nothing else. */
      retry_of?: string;
      /** @description Only these subscribers, and the members of `cohort_ids`. */
      subscriber_ids?: string[];
      /**
       * Format: date-time
       * @description Exclusive; after `from`. Required without `retry_of`.
       * @example 2026-03-01T00:00:00.000Z
       */
      to?: string;
    } & (unknown | unknown);
    ResolveTicketBody: {
      /**
       * @description How it was resolved. Personal: shown with the scope `pii:read` only.
       * @example Refunded the second charge.
       */
      resolution_note?: string | null;
    };
    ResumeBody: {
      /**
       * @description `new_period` credits the frozen time and charges a whole period now.
       * @default continue
       * @example continue
       * @enum {string}
       */
      billing?: 'continue' | 'new_period';
    };
    RotatedSecret: {
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /**
       * Format: date-time
       * @description Until when the old secret is valid too.
       */
      previous_secret_expires_at: string;
      /** @description The secret that deliveries are signed with. It is shown this once. */
      signing_secret: string;
    };
    RunOutcomeBody: {
      /**
       * @description What came of it.
       * @example accepted
       * @enum {string}
       */
      outcome: 'presented' | 'accepted' | 'declined';
      /** @description Why it happened. */
      reason?: string | null;
    };
    SavePlanBody: {
      /**
       * @description Price of one interval in minor units.
       * @example 2000
       */
      amount: number;
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: components['schemas']['CurrencyCode'];
      /** @description Your own id, unique in the environment. */
      external_id?: string | null;
      /**
       * @description The unit of a period.
       * @example month
       * @enum {string}
       */
      interval: 'day' | 'week' | 'month' | 'year';
      /**
       * @description How many of the unit a period has: 3 and `month` is a quarter.
       * @default 1
       */
      interval_count?: number;
      /**
       * @description A name for people to read.
       * @example Pro
       */
      name: string;
      /**
       * @description The length of the trial in days; 0 is no trial.
       * @default 0
       */
      trial_days?: number;
    };
    Scenario: {
      /** @description The types of the events of the story, in order. */
      event_types: string[];
      /**
       * @description The name of the scenario.
       * @enum {string}
       */
      scenario: 'trial_convert' | 'dunning_recovered' | 'dunning_lost' | 'cancel_save';
      /** @description The id of the subscriber. */
      subscriber_id: string;
    };
    SchemaVersion: {
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status: 'current' | 'supported' | 'deprecated';
      /**
       * Format: date-time
       * @description When the version stops working; null where no end is planned.
       */
      sunset_at: string | null;
      /**
       * @description The number of the version.
       * @example v1
       */
      version: string;
    };
    SchemaVersionList: {
      /** @description The objects of this page. */
      data: components['schemas']['SchemaVersion'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    SearchFindQuery: {
      /**
       * @description A whole id of any object, your own id of a subscriber, or a whole e-mail address.
       * @example customer-4711
       */
      q: string;
    };
    SearchResult: {
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /** @description The subscriber that the object belongs to; null without one. */
      subscriber_id: string | null;
      /** @description A name of the object for people; its id where it has none. */
      title: string;
      /** @description The kind of the object, such as `subscriber` or `event`. */
      type: string;
    };
    SearchResults: {
      /** @description What was found; empty where nothing was. */
      data: components['schemas']['SearchResult'][];
    };
    SeedBody: {
      /**
       * @description How many subscribers to create.
       * @example 1000
       */
      subscribers: number;
    };
    SubmitTicketBody: {
      /**
       * @description The text. Personal: shown with the scope `pii:read` only.
       * @example I was charged twice this month.
       */
      body?: string | null;
      /** @description A closed ticket of the same subscriber that this one goes on from. */
      follow_up_of?: string | null;
      /** @description Key/value pairs of your own: at most 50 keys of 40 characters, values of 500. */
      metadata?: {
        [key: string]: string;
      };
      /**
       * @description The priority.
       * @default normal
       * @enum {string}
       */
      priority?: 'normal' | 'high';
      /**
       * @description Where the subscriber wrote it.
       * @default help_center
       * @enum {string}
       */
      source?: 'help_center' | 'billing_portal' | 'email_reply';
      /**
       * @description The subject. Personal: shown with the scope `pii:read` only.
       * @example Charged twice
       */
      subject?: string | null;
      /**
       * @description The id of the subscriber.
       * @example subscriber_0k3v9c2m8x7q1z5n
       */
      subscriber_id: string;
      /**
       * @description What the ticket is about.
       * @enum {string}
       */
      topic:
        | 'billing_question'
        | 'refund_request'
        | 'plan_change'
        | 'cancel'
        | 'payment_issue'
        | 'other';
    };
    Subscriber: {
      /**
       * Format: date-time
       * @description When the first subscription began, as a trial or paid; null before.
       */
      activated_at: string | null;
      /** @description The ids of cohorts. */
      cohort_ids: string[];
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description The e-mail address. Personal: left out without the scope `pii:read`. */
      email?: string | null;
      /** @description `sha256:` and the SHA-256 of the e-mail address in lower case; 64 zeros after an erasure. */
      email_hashed: string;
      /** @description Your own score from 0 to 100; null until you set it. */
      engagement_score: number | null;
      /**
       * Format: date-time
       * @description When the personal data was erased; null where it was not.
       */
      erased_at: string | null;
      /** @description Your own id of the object, unique in its environment; null where you gave none. */
      external_id: string | null;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /**
       * Format: date-time
       * @description When the latest payment succeeded; null before the first.
       */
      last_payment_at: string | null;
      /** @description Key/value pairs of your own: at most 50 keys of 40 characters, values of 500. */
      metadata: {
        [key: string]: string | null;
      };
      /** @description The currency of the latest payment; null before the first. */
      paid_currency: string | null;
      /** @description The primary subscription: the first of active, trialing, paused, lapsed and cancelled, then the newest. Null without one. */
      subscription: {
        /**
         * Format: date-time
         * @description When the running period ends.
         */
        current_period_end: string;
        /**
         * Format: date-time
         * @description When the running period began.
         */
        current_period_start: string;
        /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
        id: string;
        /** @description The id of the plan. */
        plan: string;
        /** @description The state of the object. */
        status: string;
      } | null;
      /** @description Short labels of your own. */
      tags: string[];
      /** @description What the subscriber has paid less refunds, in minor units of `paid_currency`. */
      total_paid: number;
      /** @description What was paid less refunds, for each currency in its minor units. */
      totals_by_currency: {
        [key: string]: number;
      };
    };
    SubscriberCreatedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description The e-mail address. Personal: left out without the scope `pii:read`. */
      email?: string | null;
      /** @description Your own id of the object, unique in its environment; null where you gave none. */
      external_id: string | null;
      /** @description Key/value pairs of your own: at most 50 keys of 40 characters, values of 500. */
      metadata: {
        [key: string]: string | null;
      };
      /** @description Short labels of your own. */
      tags: string[];
      /** @description The id of the test clock in whose time the subscriber lives. */
      test_clock: string | null;
    };
    /** @description A subscriber was registered. */
    SubscriberCreatedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriberCreatedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscriber.created';
    };
    SubscriberErasedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /**
       * Format: date-time
       * @description When the personal data was erased; null where it was not.
       */
      erased_at: string;
    };
    /** @description The personal data of a subscriber was erased. Past events of the subscriber are shown without it from now on; erase your own copy. */
    SubscriberErasedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriberErasedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscriber.erased';
    };
    SubscriberList: {
      /** @description The objects of this page. */
      data: components['schemas']['Subscriber'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    SubscribersGetQuery: {
      /**
       * Format: date-time
       * @description The subscriber as it was at this moment.
       */
      at?: string;
    };
    SubscribersListEventsQuery: {
      /**
       * @description Events with a greater `sequence`.
       * @default 0
       */
      after_sequence?: number;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
    };
    SubscribersListQuery: {
      /** @description Members of this cohort. */
      cohort_id?: string;
      /**
       * Format: date-time
       * @description Only objects created at this moment or later.
       */
      created_after?: string;
      /**
       * Format: date-time
       * @description Only objects created before this moment.
       */
      created_before?: string;
      /**
       * Format: email
       * @description Those that have this address; upper and lower case are the same. Needs `pii:read`.
       * @example ada@example.com
       */
      email?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /** @description Your own id of the subscriber. */
      external_id?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Those whose primary subscription is of this plan. */
      plan?: string;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /**
       * @description Status of the primary subscription; none matches no status.
       * @enum {string}
       */
      status?: 'active' | 'trialing' | 'paused' | 'cancelled' | 'lapsed';
      /** @description Those that have this tag. */
      tag?: string;
    };
    SubscribersTimelineQuery: {
      /**
       * Format: date-time
       * @description Only objects created at this moment or later.
       */
      created_after?: string;
      /**
       * Format: date-time
       * @description Only objects created before this moment.
       */
      created_before?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /**
       * @description Newest first, or `asc` for oldest first.
       * @default desc
       * @enum {string}
       */
      order?: 'asc' | 'desc';
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
    };
    SubscriberUpdatedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description The e-mail address. Personal: left out without the scope `pii:read`. */
      email?: string | null;
      /** @description Your own score from 0 to 100; null until you set it. */
      engagement_score?: number;
      /** @description Key/value pairs of your own: at most 50 keys of 40 characters, values of 500. */
      metadata?: {
        [key: string]: string | null;
      };
      /**
       * Format: date-time
       * @description When you observed the score.
       */
      observed_at?: string;
      /** @description The values before the change, of the fields that changed. */
      previous: {
        /** @description The e-mail address. Personal: left out without the scope `pii:read`. */
        email?: string | null;
        /** @description Your own score from 0 to 100; null until you set it. */
        engagement_score?: number | null;
        /** @description Key/value pairs of your own: at most 50 keys of 40 characters, values of 500. */
        metadata?: {
          [key: string]: string | null;
        };
        /** @description Short labels of your own. */
        tags?: string[];
      };
      /** @description Short labels of your own. */
      tags?: string[];
    };
    /** @description The e-mail address, tags, metadata or engagement score of a subscriber changed. `previous` has the old values of what changed. */
    SubscriberUpdatedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriberUpdatedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscriber.updated';
    };
    Subscription: {
      /**
       * Format: date-time
       * @description When a scheduled cancellation takes effect; null where none is scheduled.
       */
      cancel_at: string | null;
      /** @description Whether a cancellation is scheduled for the end of the period. */
      cancel_at_period_end: boolean;
      /** @description Why it was cancelled, or will be; null where it was not. */
      cancellation: {
        /** @description What the subscriber said. Personal: shown with the scope `pii:read` only. */
        comment?: string | null;
        /**
         * @description What the subscriber said was wrong, in one word.
         * @enum {string|null}
         */
        feedback:
          | 'customer_service'
          | 'low_quality'
          | 'missing_features'
          | 'other'
          | 'switched_service'
          | 'too_complex'
          | 'too_expensive'
          | 'unused'
          | null;
        /**
         * @description Why it happened.
         * @enum {string}
         */
        reason:
          | 'cancellation_requested'
          | 'payment_failed'
          | 'payment_disputed'
          | 'trial_ended_without_payment'
          | 'plan_expired'
          | 'merchant';
      } | null;
      /**
       * Format: date-time
       * @description When it was cancelled; null where it was not.
       */
      cancelled_at: string | null;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the running period ends.
       */
      current_period_end: string;
      /**
       * Format: date-time
       * @description When the running period began.
       */
      current_period_start: string;
      /** @description Your own id of the object, unique in its environment; null where you gave none. */
      external_id: string | null;
      /**
       * Format: date-time
       * @description When the subscription lapses if it is still unpaid; null where nothing is open.
       */
      grace_ends_at: string | null;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /**
       * Format: date-time
       * @description When it lapsed; null where it did not.
       */
      lapsed_at: string | null;
      /**
       * Format: date-time
       * @description When the open payment is tried again; null where no try is planned.
       */
      next_payment_attempt_at: string | null;
      /**
       * Format: date-time
       * @description When the payment failed for the first time; null while `payment_state` is `ok`.
       */
      past_due_since: string | null;
      /**
       * Format: date-time
       * @description When it was paused; null where it is not.
       */
      paused_at: string | null;
      /**
       * Format: date-time
       * @description When a scheduled pause takes effect; null where none is scheduled.
       */
      pauses_at: string | null;
      /**
       * @description `past_due` while a payment of it is retried, else `ok`.
       * @enum {string}
       */
      payment_state: 'ok' | 'past_due';
      /** @description The plan from the next period on; null where it stays. */
      pending_plan: string | null;
      /** @description The id of the plan. */
      plan: string;
      /**
       * Format: date-time
       * @description When a pause ends by itself; null where it does not.
       */
      resumes_at: string | null;
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status: 'active' | 'trialing' | 'paused' | 'cancelled' | 'lapsed';
      /** @description The id of the subscriber. */
      subscriber_id: string;
      /**
       * Format: date-time
       * @description When the trial ends; null without one.
       */
      trial_end: string | null;
    };
    SubscriptionActivatedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description What the amount is made of. */
      lines?: components['schemas']['Line'][];
      /** @description The id of the payment; null where no payment is involved. */
      payment_id: string | null;
      /**
       * Format: date-time
       * @description When the period ends.
       */
      period_end: string;
      /**
       * Format: date-time
       * @description When the period begins.
       */
      period_start: string;
      /** @description The id of the plan. */
      plan: string;
      /** @description The values before the change, of the fields that changed. */
      previous: {
        /**
         * @description The state of the object.
         * @enum {string}
         */
        status?: 'active' | 'trialing' | 'paused' | 'cancelled' | 'lapsed';
      };
      /**
       * @description Why it happened.
       * @enum {string}
       */
      reason: 'new' | 'trial_converted';
    };
    /** @description A subscription became active for the first time: its first charge succeeded, or its trial was converted. Give access now. */
    SubscriptionActivatedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriptionActivatedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.activated';
    };
    SubscriptionCancellationScheduledData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /**
       * Format: date-time
       * @description When a scheduled cancellation takes effect; null where none is scheduled.
       */
      cancel_at: string;
      /** @description What the subscriber said. Personal: shown with the scope `pii:read` only. */
      comment?: string | null;
      /**
       * @description What the subscriber said was wrong, in one word.
       * @enum {string|null}
       */
      feedback:
        | 'customer_service'
        | 'low_quality'
        | 'missing_features'
        | 'other'
        | 'switched_service'
        | 'too_complex'
        | 'too_expensive'
        | 'unused'
        | null;
      /**
       * @description Why it happened.
       * @enum {string}
       */
      reason:
        | 'cancellation_requested'
        | 'payment_failed'
        | 'payment_disputed'
        | 'trial_ended_without_payment'
        | 'plan_expired'
        | 'merchant';
    };
    /** @description A cancellation was scheduled for the end of the period. Access stays until then. */
    SubscriptionCancellationScheduledEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriptionCancellationScheduledData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.cancellation_scheduled';
    };
    /** @description A scheduled cancellation was undone. */
    SubscriptionCancellationUnscheduledEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriptionCancellationScheduledData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.cancellation_unscheduled';
    };
    SubscriptionCancelledData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description What the subscriber said. Personal: shown with the scope `pii:read` only. */
      comment?: string | null;
      /** @description Credits that open payments held and that can be used again. */
      credits_reinstated?: {
        /** @description in minor units of the currency */
        amount: number;
        /** @description The id of the credit; null without one. */
        credit_id: string;
        /** @description in minor units of the currency */
        remaining: number;
      }[];
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: string;
      /**
       * @description What the subscriber said was wrong, in one word.
       * @enum {string|null}
       */
      feedback:
        | 'customer_service'
        | 'low_quality'
        | 'missing_features'
        | 'other'
        | 'switched_service'
        | 'too_complex'
        | 'too_expensive'
        | 'unused'
        | null;
      /** @description in minor units of the currency */
      mrr_lost: number;
      /** @description The values before the change, of the fields that changed. */
      previous: {
        /**
         * @description The state of the object.
         * @enum {string}
         */
        status: 'active' | 'trialing' | 'paused' | 'cancelled' | 'lapsed';
      };
      /**
       * @description Why it happened.
       * @enum {string}
       */
      reason:
        | 'cancellation_requested'
        | 'payment_failed'
        | 'payment_disputed'
        | 'trial_ended_without_payment'
        | 'plan_expired'
        | 'merchant';
      /** @description Whether the subscriber or you ended it on purpose. */
      voluntary: boolean;
    };
    /** @description A subscription ended on purpose. Take access away. */
    SubscriptionCancelledEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriptionCancelledData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.cancelled';
    };
    SubscriptionDiscountAppliedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description What each period costs less. */
      discount: components['schemas']['Discount'];
      /** @description The id of the motion run that caused it; null without one. */
      motion_run_id: string | null;
      /** @description Why it happened. */
      reason: string;
    };
    /** @description A discount was applied to a subscription, by an offer. */
    SubscriptionDiscountAppliedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriptionDiscountAppliedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.discount_applied';
    };
    SubscriptionLapsedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description How many attempts there were. */
      attempts: number;
      /** @description Credits that open payments held and that can be used again. */
      credits_reinstated?: {
        /** @description in minor units of the currency */
        amount: number;
        /** @description The id of the credit; null without one. */
        credit_id: string;
        /** @description in minor units of the currency */
        remaining: number;
      }[];
      /** @description The id of the payment; null where no payment is involved. */
      payment_id: string | null;
      /** @description The values before the change, of the fields that changed. */
      previous: {
        /**
         * @description The state of the object.
         * @enum {string}
         */
        status: 'active' | 'trialing' | 'paused' | 'cancelled' | 'lapsed';
      };
      /**
       * @description Why it happened.
       * @enum {string}
       */
      reason:
        | 'cancellation_requested'
        | 'payment_failed'
        | 'payment_disputed'
        | 'trial_ended_without_payment'
        | 'plan_expired'
        | 'merchant';
      /** @description Whether the subscriber or you ended it on purpose. */
      voluntary: boolean;
    };
    /** @description A subscription ended because it was not paid, or because its trial ended without a payment method. Take access away. */
    SubscriptionLapsedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriptionLapsedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.lapsed';
    };
    SubscriptionList: {
      /** @description The objects of this page. */
      data: components['schemas']['Subscription'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    SubscriptionPastDueData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /**
       * Format: date-time
       * @description When the subscription lapses if it is still unpaid; null where nothing is open.
       */
      grace_ends_at: string;
      /**
       * Format: date-time
       * @description When the open payment is tried again; null where no try is planned.
       */
      next_payment_attempt_at: string | null;
      /** @description The id of the payment; null where no payment is involved. */
      payment_id: string;
      /** @description Why it happened. */
      reason: string;
    };
    /** @description A payment of a subscription failed for the first time. It is retried; access stays until `grace_ends_at`. */
    SubscriptionPastDueEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriptionPastDueData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.past_due';
    };
    /** @description A subscription was paused. It is not charged and gives no access until it is resumed. */
    SubscriptionPausedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriptionPauseScheduledData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.paused';
    };
    SubscriptionPauseScheduledData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /**
       * @description When it takes effect: at the end of the period, or at once.
       * @enum {string}
       */
      effective: 'period_end' | 'immediately';
      /**
       * Format: date-time
       * @description When it takes effect.
       */
      effective_at: string;
      /** @description The id of the motion run that caused it; null without one. */
      motion_run_id: string | null;
      /** @description Why it happened. */
      reason: string;
      /** @description What is left of the paid period or trial; resuming continues with it. */
      remaining_seconds: number;
      /**
       * Format: date-time
       * @description When a pause ends by itself; null where it does not.
       */
      resumes_at: string | null;
    };
    /** @description A pause was scheduled for the end of the period. */
    SubscriptionPauseScheduledEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriptionPauseScheduledData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.pause_scheduled';
    };
    SubscriptionPauseUnscheduledData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description Why it happened. */
      reason: string;
    };
    /** @description A scheduled pause was undone. */
    SubscriptionPauseUnscheduledEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriptionPauseUnscheduledData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.pause_unscheduled';
    };
    SubscriptionPlanChangedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /**
       * @description Whether the new plan costs more or less a month than the old one, or the same.
       * @enum {string}
       */
      direction: 'upgrade' | 'downgrade' | 'lateral';
      /** @description The plan before the change. */
      from_plan: string;
      /** @description The id of the motion run that caused it; null without one. */
      motion_run_id: string | null;
      /**
       * Format: date-time
       * @description When the period ends.
       */
      period_end: string;
      /**
       * Format: date-time
       * @description When the period begins.
       */
      period_start: string;
      /** @description How unused and new time are settled. */
      proration: components['schemas']['Proration'];
      /** @description Why it happened. */
      reason: string;
      /** @description The plan after the change. */
      to_plan: string;
    };
    /** @description The plan of a subscription changed. The event comes before the charge or credit that it causes. */
    SubscriptionPlanChangedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriptionPlanChangedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.plan_changed';
    };
    SubscriptionReactivatedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description How many days the subscriber was away. */
      days_away: number;
      /** @description What the amount is made of. */
      lines?: components['schemas']['Line'][];
      /** @description The id of the motion run that caused it; null without one. */
      motion_run_id: string | null;
      /** @description The id of the payment; null where no payment is involved. */
      payment_id: string | null;
      /**
       * Format: date-time
       * @description When the period ends.
       */
      period_end: string;
      /**
       * Format: date-time
       * @description When the period begins.
       */
      period_start: string;
      /** @description The id of the plan. */
      plan: string;
      /** @description The values before the change, of the fields that changed. */
      previous: {
        /**
         * @description The state of the object.
         * @enum {string}
         */
        status: 'active' | 'trialing' | 'paused' | 'cancelled' | 'lapsed';
      };
      /** @description Why it happened. */
      reason: string;
    };
    /** @description A cancelled or lapsed subscription became active again. Give access back. */
    SubscriptionReactivatedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriptionReactivatedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.reactivated';
    };
    SubscriptionRenewalUpcomingData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: string;
      /** @description in minor units of the currency */
      estimated_amount: number;
      /** @description What the amount is made of. */
      lines: components['schemas']['Line'][];
      /** @description Why it happened. */
      reason: string;
      /**
       * Format: date-time
       * @description When it renews.
       */
      renews_at: string;
    };
    /** @description A subscription renews in 7 days. */
    SubscriptionRenewalUpcomingEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriptionRenewalUpcomingData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.renewal_upcoming';
    };
    SubscriptionRenewedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description in minor units of the currency */
      amount: number;
      /** @description The currency: an ISO 4217 code in upper case. */
      currency: string;
      /** @description What the amount is made of. */
      lines?: components['schemas']['Line'][];
      /** @description The id of the payment; null where no payment is involved. */
      payment_id: string | null;
      /**
       * Format: date-time
       * @description When the period ends.
       */
      period_end: string;
      /**
       * Format: date-time
       * @description When the period begins.
       */
      period_start: string;
      /** @description The id of the plan. */
      plan: string;
      /** @description Why it happened. */
      reason: string;
      /** @description How many times the subscription was renewed, this time included. */
      renewal_count: number;
    };
    /** @description A new period began and is paid. */
    SubscriptionRenewedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriptionRenewedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.renewed';
    };
    SubscriptionResumedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /**
       * @description Whether the old period goes on or a new one was charged.
       * @enum {string}
       */
      billing: 'continue' | 'new_period';
      /** @description What the amount is made of. */
      lines?: components['schemas']['Line'][];
      /** @description The id of the payment; null where no payment is involved. */
      payment_id: string | null;
      /**
       * Format: date-time
       * @description When the period ends.
       */
      period_end: string;
      /** @description How much later the period ends because of the pause. */
      period_shifted_seconds: number;
      /**
       * Format: date-time
       * @description When the period begins.
       */
      period_start: string;
      /** @description Why it happened. */
      reason: string;
      /**
       * @description The status after resuming.
       * @enum {string}
       */
      resulting_status: 'active' | 'trialing';
    };
    /** @description A paused subscription was resumed. */
    SubscriptionResumedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriptionResumedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.resumed';
    };
    SubscriptionsGetQuery: {
      /**
       * Format: date-time
       * @description The subscription as it was at this moment.
       */
      at?: string;
    };
    SubscriptionsListQuery: {
      /**
       * Format: date-time
       * @description Only objects created at this moment or later.
       */
      created_after?: string;
      /**
       * Format: date-time
       * @description Only objects created before this moment.
       */
      created_before?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Only those of this plan. */
      plan?: string;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /**
       * @description Only those in this status.
       * @enum {string}
       */
      status?: 'active' | 'trialing' | 'paused' | 'cancelled' | 'lapsed';
      /** @description Only those of this subscriber. */
      subscriber_id?: string;
    };
    SubscriptionTrialExtendedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description A number of days. */
      days: number;
      /** @description The id of the motion run that caused it; null without one. */
      motion_run_id: string | null;
      /** @description The values before the change, of the fields that changed. */
      previous: {
        /**
         * Format: date-time
         * @description When the trial ends; null without one.
         */
        trial_end: string;
      };
      /** @description Why it happened. */
      reason: string;
      /**
       * Format: date-time
       * @description When the trial ends; null without one.
       */
      trial_end: string;
    };
    /** @description A trial was made longer, by an offer. */
    SubscriptionTrialExtendedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriptionTrialExtendedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.trial_extended';
    };
    SubscriptionTrialStartedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description Whether there is a payment method to charge. */
      payment_method_present: boolean;
      /** @description The id of the plan. */
      plan: string;
      /** @description Why it happened. */
      reason: string;
      /**
       * Format: date-time
       * @description When the trial ends; null without one.
       */
      trial_end: string;
    };
    /** @description A subscription began with a trial. */
    SubscriptionTrialStartedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriptionTrialStartedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.trial_started';
    };
    SubscriptionTrialWillEndData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description Whether there is a payment method to charge. */
      payment_method_present: boolean;
      /** @description Why it happened. */
      reason: string;
      /**
       * Format: date-time
       * @description When the trial ends; null without one.
       */
      trial_end: string;
    };
    /** @description A trial of at least 4 days ends in 3 days. */
    SubscriptionTrialWillEndEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['SubscriptionTrialWillEndData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.trial_will_end';
    };
    TestClock: {
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the clock and its subscribers are deleted.
       */
      deletes_after: string;
      /**
       * Format: date-time
       * @description The time of the clock; the old time while it advances.
       */
      frozen_time: string;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /** @description A name for people to read. */
      name: string | null;
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status: 'ready' | 'advancing' | 'internal_failure' | 'deleted';
    };
    TestHelpersListOutboxQuery: {
      /**
       * Format: date-time
       * @description Only objects created at this moment or later.
       */
      created_after?: string;
      /**
       * Format: date-time
       * @description Only objects created before this moment.
       */
      created_before?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
    };
    TestPingData: {
      /** @description What went wrong, for people. The text may change. */
      message: string;
    };
    /** @description You asked for a test event. It says nothing about a subscriber. */
    TestPingEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['TestPingData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'test.ping';
    };
    Ticket: {
      /**
       * Format: date-time
       * @description When it closes by itself; null while it is open.
       */
      auto_close_at: string | null;
      /** @description The text. Personal: shown with the scope `pii:read` only. */
      body?: string | null;
      /**
       * Format: date-time
       * @description When it was closed for good; null before.
       */
      closed_at: string | null;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description The id of the closed ticket that this one follows; null without one. */
      follow_up_of: string | null;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /** @description Key/value pairs of your own: at most 50 keys of 40 characters, values of 500. */
      metadata: {
        [key: string]: string | null;
      };
      /**
       * @description The priority.
       * @enum {string}
       */
      priority: 'normal' | 'high';
      /** @description How it was resolved. Personal: shown with the scope `pii:read` only. */
      resolution_note?: string | null;
      /**
       * Format: date-time
       * @description When it was resolved; null while it is open.
       */
      resolved_at: string | null;
      /**
       * @description Where the subscriber wrote it.
       * @enum {string}
       */
      source: 'help_center' | 'billing_portal' | 'email_reply';
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status: 'open' | 'resolved' | 'closed';
      /** @description The subject. Personal: shown with the scope `pii:read` only. */
      subject?: string | null;
      /** @description The id of the subscriber. */
      subscriber_id: string;
      /**
       * @description What the ticket is about.
       * @enum {string}
       */
      topic:
        | 'billing_question'
        | 'refund_request'
        | 'plan_change'
        | 'cancel'
        | 'payment_issue'
        | 'other';
    };
    TicketClosedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description The values before the change, of the fields that changed. */
      previous: {
        /**
         * @description The priority.
         * @enum {string}
         */
        priority?: 'normal' | 'high';
        /**
         * @description The state of the object.
         * @enum {string}
         */
        status?: 'open' | 'resolved' | 'closed';
        /** @description The subject. Personal: shown with the scope `pii:read` only. */
        subject?: string | null;
        /**
         * @description What the ticket is about.
         * @enum {string}
         */
        topic?:
          | 'billing_question'
          | 'refund_request'
          | 'plan_change'
          | 'cancel'
          | 'payment_issue'
          | 'other';
      };
      /** @description Why it happened. */
      reason: string;
      /** @description The time from the submission to the resolution. */
      resolution_seconds: number | null;
      /** @description The ticket as it is after the event. */
      ticket: components['schemas']['Ticket'];
    };
    /** @description A ticket was closed for good. */
    TicketClosedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['TicketClosedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'ticket.closed';
    };
    TicketList: {
      /** @description The objects of this page. */
      data: components['schemas']['Ticket'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    TicketReopenedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description The values before the change, of the fields that changed. */
      previous: {
        /**
         * @description The priority.
         * @enum {string}
         */
        priority?: 'normal' | 'high';
        /**
         * @description The state of the object.
         * @enum {string}
         */
        status?: 'open' | 'resolved' | 'closed';
        /** @description The subject. Personal: shown with the scope `pii:read` only. */
        subject?: string | null;
        /**
         * @description What the ticket is about.
         * @enum {string}
         */
        topic?:
          | 'billing_question'
          | 'refund_request'
          | 'plan_change'
          | 'cancel'
          | 'payment_issue'
          | 'other';
      };
      /** @description Why it happened. */
      reason: string;
      /** @description The ticket as it is after the event. */
      ticket: components['schemas']['Ticket'];
    };
    /** @description A resolved ticket was opened again. */
    TicketReopenedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['TicketReopenedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'ticket.reopened';
    };
    /** @description A ticket was resolved. */
    TicketResolvedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['TicketClosedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'ticket.resolved';
    };
    TicketsListQuery: {
      /**
       * Format: date-time
       * @description Only objects created at this moment or later.
       */
      created_after?: string;
      /**
       * Format: date-time
       * @description Only objects created before this moment.
       */
      created_before?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /**
       * @description Only those of this priority.
       * @enum {string}
       */
      priority?: 'normal' | 'high';
      /**
       * @description Only those of this source.
       * @enum {string}
       */
      source?: 'help_center' | 'billing_portal' | 'email_reply';
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /**
       * @description Only those in this status.
       * @enum {string}
       */
      status?: 'open' | 'resolved' | 'closed';
      /** @description Only those of this subscriber. */
      subscriber_id?: string;
      /**
       * @description Only those of this topic.
       * @enum {string}
       */
      topic?:
        | 'billing_question'
        | 'refund_request'
        | 'plan_change'
        | 'cancel'
        | 'payment_issue'
        | 'other';
    };
    TicketSubmittedData: {
      /**
       * @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider.
       * @enum {string}
       */
      actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
      /** @description The ticket as it is after the event. */
      ticket: components['schemas']['Ticket'];
    };
    /** @description A subscriber submitted a ticket. */
    TicketSubmittedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['TicketSubmittedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'ticket.submitted';
    };
    /** @description The topic, subject or priority of a ticket changed. */
    TicketUpdatedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['TicketReopenedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'ticket.updated';
    };
    TimelineItem: {
      /** @description Who caused it: the API, the dashboard, the service itself, a motion or the payment provider. */
      actor: string | null;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description What happened; the type says which fields there are. */
      data: {
        [key: string]: unknown;
      };
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /** @description Why it happened. */
      reason: string | null;
      /** @description The number of the event in the history of its subscriber, from 1. Receivers order by it. */
      sequence: number;
      /** @description The type of the object. */
      type: string;
    };
    TimelineItemList: {
      /** @description The objects of this page. */
      data: components['schemas']['TimelineItem'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description Pass it as `starting_after` for the next page. */
      next_cursor: string | null;
      /** @description Pass it as `ending_before` for the page before. */
      previous_cursor: string | null;
    };
    TriggerMotionBody: {
      /**
       * @description Replaces the motion's whole offer for this run.
       * @example {
       *       "type": "pause",
       *       "days": 30
       *     }
       */
      offer_override?: components['schemas']['OfferBody'];
      /** @description The id of the subscriber. */
      subscriber_id: string;
    };
    UnprojectedEvent: {
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description SQLSTATE or the name of the error. */
      error: string;
      /** @description The id of the object. Ids are opaque texts of at most 64 characters. */
      id: string;
      /** @description The position of the event in the log. */
      position: string;
      /**
       * Format: date-time
       * @description When the event could last not be projected.
       */
      seen_at: string;
      /** @description The stream of the event store that has the event. */
      stream: string;
      /** @description The type of the object. */
      type: string;
    };
    UpdateSubscriberBody: {
      /**
       * Format: email
       * @description The e-mail address. Personal: left out without the scope `pii:read`.
       * @example ada@example.com
       */
      email?: string;
      /**
       * @description Merged into the metadata there is; null deletes a key.
       * @example {
       *       "city": "Paris",
       *       "coupon": null
       *     }
       */
      metadata?: {
        [key: string]: string | null;
      };
      /**
       * @description Replaces all tags.
       * @example [
       *       "annual",
       *       "newsletter"
       *     ]
       */
      tags?: string[];
      /** @description Added to the tags there are; not together with tags. */
      tags_add?: string[];
      /** @description Removed from the tags there are; not together with tags. */
      tags_remove?: string[];
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type AdvanceClockBody = components['schemas']['AdvanceClockBody'];
export type AmendTicketBody = components['schemas']['AmendTicketBody'];
export type AppliedOffer = components['schemas']['AppliedOffer'];
export type AuditItem = components['schemas']['AuditItem'];
export type AuditItemList = components['schemas']['AuditItemList'];
export type AuditLogListQuery = components['schemas']['AuditLogListQuery'];
export type CancelBody = components['schemas']['CancelBody'];
export type ChangeCohortBody = components['schemas']['ChangeCohortBody'];
export type ChangeDestinationBody = components['schemas']['ChangeDestinationBody'];
export type ChangeMotionBody = components['schemas']['ChangeMotionBody'];
export type ChangePlanBody = components['schemas']['ChangePlanBody'];
export type Cohort = components['schemas']['Cohort'];
export type CohortDefinition = components['schemas']['CohortDefinition'];
export type CohortDefinitionBody = components['schemas']['CohortDefinitionBody'];
export type CohortEnteredData = components['schemas']['CohortEnteredData'];
export type CohortEnteredEvent = components['schemas']['CohortEnteredEvent'];
export type CohortExitedEvent = components['schemas']['CohortExitedEvent'];
export type CohortList = components['schemas']['CohortList'];
export type CohortMember = components['schemas']['CohortMember'];
export type CohortMemberList = components['schemas']['CohortMemberList'];
export type CohortPreview = components['schemas']['CohortPreview'];
export type CohortsListMembersQuery = components['schemas']['CohortsListMembersQuery'];
export type CohortsListQuery = components['schemas']['CohortsListQuery'];
export type CreateClockBody = components['schemas']['CreateClockBody'];
export type CreateCohortBody = components['schemas']['CreateCohortBody'];
export type CreateMotionBody = components['schemas']['CreateMotionBody'];
export type CreateRefundBody = components['schemas']['CreateRefundBody'];
export type CreateSubscriberBody = components['schemas']['CreateSubscriberBody'];
export type CreateSubscriptionBody = components['schemas']['CreateSubscriptionBody'];
export type Credit = components['schemas']['Credit'];
export type CreditAppliedData = components['schemas']['CreditAppliedData'];
export type CreditAppliedEvent = components['schemas']['CreditAppliedEvent'];
export type CreditExpiredEvent = components['schemas']['CreditExpiredEvent'];
export type CreditGrantedData = components['schemas']['CreditGrantedData'];
export type CreditGrantedEvent = components['schemas']['CreditGrantedEvent'];
export type CreditList = components['schemas']['CreditList'];
export type CreditsListQuery = components['schemas']['CreditsListQuery'];
export type CreditsListTransactionsQuery = components['schemas']['CreditsListTransactionsQuery'];
export type CreditTransaction = components['schemas']['CreditTransaction'];
export type CreditTransactionList = components['schemas']['CreditTransactionList'];
export type CreditVoidedEvent = components['schemas']['CreditVoidedEvent'];
export type CurrencyCode = components['schemas']['CurrencyCode'];
export type DeletedDestination = components['schemas']['DeletedDestination'];
export type DeliveriesListAllQuery = components['schemas']['DeliveriesListAllQuery'];
export type DeliveriesListQuery = components['schemas']['DeliveriesListQuery'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryDetail = components['schemas']['DeliveryDetail'];
export type DeliveryList = components['schemas']['DeliveryList'];
export type DeliveryPreview = components['schemas']['DeliveryPreview'];
export type Destination = components['schemas']['Destination'];
export type DestinationHealth = components['schemas']['DestinationHealth'];
export type DestinationHealthList = components['schemas']['DestinationHealthList'];
export type DestinationList = components['schemas']['DestinationList'];
export type DestinationsDeleteQuery = components['schemas']['DestinationsDeleteQuery'];
export type DestinationsListHealthQuery = components['schemas']['DestinationsListHealthQuery'];
export type DestinationsListQuery = components['schemas']['DestinationsListQuery'];
export type DestinationTest = components['schemas']['DestinationTest'];
export type Discount = components['schemas']['Discount'];
export type DisputeBody = components['schemas']['DisputeBody'];
export type EmitEventBody = components['schemas']['EmitEventBody'];
export type EngagementScoreBody = components['schemas']['EngagementScoreBody'];
export type Erasure = components['schemas']['Erasure'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type Event = components['schemas']['Event'];
export type EventCounts = components['schemas']['EventCounts'];
export type EventDelivery = components['schemas']['EventDelivery'];
export type EventDeliveryList = components['schemas']['EventDeliveryList'];
export type EventFields = components['schemas']['EventFields'];
export type EventList = components['schemas']['EventList'];
export type EventsCountsQuery = components['schemas']['EventsCountsQuery'];
export type EventsListDeliveriesQuery = components['schemas']['EventsListDeliveriesQuery'];
export type EventsListQuery = components['schemas']['EventsListQuery'];
export type EventSubscriber = components['schemas']['EventSubscriber'];
export type EventTenant = components['schemas']['EventTenant'];
export type EventType = components['schemas']['EventType'];
export type EventTypeList = components['schemas']['EventTypeList'];
export type FailureBody = components['schemas']['FailureBody'];
export type FieldError = components['schemas']['FieldError'];
export type GrantCreditBody = components['schemas']['GrantCreditBody'];
export type Import = components['schemas']['Import'];
export type ImportLineError = components['schemas']['ImportLineError'];
export type ImportLineErrorList = components['schemas']['ImportLineErrorList'];
export type ImportLinesBody = components['schemas']['ImportLinesBody'];
export type ImportsCreateQuery = components['schemas']['ImportsCreateQuery'];
export type ImportsListErrorsQuery = components['schemas']['ImportsListErrorsQuery'];
export type Line = components['schemas']['Line'];
export type MetricDefinition = components['schemas']['MetricDefinition'];
export type MetricDefinitionList = components['schemas']['MetricDefinitionList'];
export type MetricSeries = components['schemas']['MetricSeries'];
export type MetricsGetQuery = components['schemas']['MetricsGetQuery'];
export type MetricsRecoveryQuery = components['schemas']['MetricsRecoveryQuery'];
export type MinimalEvent = components['schemas']['MinimalEvent'];
export type Motion = components['schemas']['Motion'];
export type MotionAcceptedData = components['schemas']['MotionAcceptedData'];
export type MotionAcceptedEvent = components['schemas']['MotionAcceptedEvent'];
export type MotionAppliedEvent = components['schemas']['MotionAppliedEvent'];
export type MotionDeclinedEvent = components['schemas']['MotionDeclinedEvent'];
export type MotionExpiredEvent = components['schemas']['MotionExpiredEvent'];
export type MotionFailedEvent = components['schemas']['MotionFailedEvent'];
export type MotionLimits = components['schemas']['MotionLimits'];
export type MotionLimitsBody = components['schemas']['MotionLimitsBody'];
export type MotionList = components['schemas']['MotionList'];
export type MotionPerformance = components['schemas']['MotionPerformance'];
export type MotionPresentedEvent = components['schemas']['MotionPresentedEvent'];
export type MotionRun = components['schemas']['MotionRun'];
export type MotionRunList = components['schemas']['MotionRunList'];
export type MotionsListQuery = components['schemas']['MotionsListQuery'];
export type MotionsListRunsQuery = components['schemas']['MotionsListRunsQuery'];
export type MotionsPerformanceQuery = components['schemas']['MotionsPerformanceQuery'];
export type MotionSuppressedEvent = components['schemas']['MotionSuppressedEvent'];
export type MotionTriggeredData = components['schemas']['MotionTriggeredData'];
export type MotionTriggeredEvent = components['schemas']['MotionTriggeredEvent'];
export type ObjectId = components['schemas']['ObjectId'];
export type Offer = components['schemas']['Offer'];
export type OfferBody = components['schemas']['OfferBody'];
export type OperationalEvent = components['schemas']['OperationalEvent'];
export type OperationalEventList = components['schemas']['OperationalEventList'];
export type OperationalEventsListQuery = components['schemas']['OperationalEventsListQuery'];
export type OutboxMessage = components['schemas']['OutboxMessage'];
export type OutboxMessageList = components['schemas']['OutboxMessageList'];
export type PauseBody = components['schemas']['PauseBody'];
export type Payment = components['schemas']['Payment'];
export type PaymentAttempt = components['schemas']['PaymentAttempt'];
export type PaymentAttemptList = components['schemas']['PaymentAttemptList'];
export type PaymentDisputedData = components['schemas']['PaymentDisputedData'];
export type PaymentDisputedEvent = components['schemas']['PaymentDisputedEvent'];
export type PaymentDueData = components['schemas']['PaymentDueData'];
export type PaymentDueEvent = components['schemas']['PaymentDueEvent'];
export type PaymentFailedData = components['schemas']['PaymentFailedData'];
export type PaymentFailedEvent = components['schemas']['PaymentFailedEvent'];
export type PaymentFailure = components['schemas']['PaymentFailure'];
export type PaymentList = components['schemas']['PaymentList'];
export type PaymentMethod = components['schemas']['PaymentMethod'];
export type PaymentMethodBody = components['schemas']['PaymentMethodBody'];
export type PaymentMethodExpiringData = components['schemas']['PaymentMethodExpiringData'];
export type PaymentMethodExpiringEvent = components['schemas']['PaymentMethodExpiringEvent'];
export type PaymentMethodUpdatedEvent = components['schemas']['PaymentMethodUpdatedEvent'];
export type PaymentRecoveredData = components['schemas']['PaymentRecoveredData'];
export type PaymentRecoveredEvent = components['schemas']['PaymentRecoveredEvent'];
export type PaymentRecoveryLostData = components['schemas']['PaymentRecoveryLostData'];
export type PaymentRecoveryLostEvent = components['schemas']['PaymentRecoveryLostEvent'];
export type PaymentRefundedEvent = components['schemas']['PaymentRefundedEvent'];
export type PaymentRefundFailedData = components['schemas']['PaymentRefundFailedData'];
export type PaymentRefundFailedEvent = components['schemas']['PaymentRefundFailedEvent'];
export type PaymentRefundRequestedData = components['schemas']['PaymentRefundRequestedData'];
export type PaymentRefundRequestedEvent = components['schemas']['PaymentRefundRequestedEvent'];
export type PaymentsListAttemptsQuery = components['schemas']['PaymentsListAttemptsQuery'];
export type PaymentsListQuery = components['schemas']['PaymentsListQuery'];
export type PaymentSucceededData = components['schemas']['PaymentSucceededData'];
export type PaymentSucceededEvent = components['schemas']['PaymentSucceededEvent'];
export type Plan = components['schemas']['Plan'];
export type PlanList = components['schemas']['PlanList'];
export type PlanPreview = components['schemas']['PlanPreview'];
export type PlansListQuery = components['schemas']['PlansListQuery'];
export type PreviewBody = components['schemas']['PreviewBody'];
export type PreviewCohortBody = components['schemas']['PreviewCohortBody'];
export type Proration = components['schemas']['Proration'];
export type ProviderOutcomeBody = components['schemas']['ProviderOutcomeBody'];
export type Recovery = components['schemas']['Recovery'];
export type Refund = components['schemas']['Refund'];
export type RefundList = components['schemas']['RefundList'];
export type RefundsListQuery = components['schemas']['RefundsListQuery'];
export type RegisterDestinationBody = components['schemas']['RegisterDestinationBody'];
export type RegisteredDestination = components['schemas']['RegisteredDestination'];
export type Replay = components['schemas']['Replay'];
export type ReplayDryRun = components['schemas']['ReplayDryRun'];
export type ReplayFailure = components['schemas']['ReplayFailure'];
export type ReplayFailureList = components['schemas']['ReplayFailureList'];
export type ReplayList = components['schemas']['ReplayList'];
export type ReplaysListFailuresQuery = components['schemas']['ReplaysListFailuresQuery'];
export type ReplaysListQuery = components['schemas']['ReplaysListQuery'];
export type RequestReplayBody = components['schemas']['RequestReplayBody'];
export type ResolveTicketBody = components['schemas']['ResolveTicketBody'];
export type ResumeBody = components['schemas']['ResumeBody'];
export type RotatedSecret = components['schemas']['RotatedSecret'];
export type RunOutcomeBody = components['schemas']['RunOutcomeBody'];
export type SavePlanBody = components['schemas']['SavePlanBody'];
export type Scenario = components['schemas']['Scenario'];
export type SchemaVersion = components['schemas']['SchemaVersion'];
export type SchemaVersionList = components['schemas']['SchemaVersionList'];
export type SearchFindQuery = components['schemas']['SearchFindQuery'];
export type SearchResult = components['schemas']['SearchResult'];
export type SearchResults = components['schemas']['SearchResults'];
export type SeedBody = components['schemas']['SeedBody'];
export type SubmitTicketBody = components['schemas']['SubmitTicketBody'];
export type Subscriber = components['schemas']['Subscriber'];
export type SubscriberCreatedData = components['schemas']['SubscriberCreatedData'];
export type SubscriberCreatedEvent = components['schemas']['SubscriberCreatedEvent'];
export type SubscriberErasedData = components['schemas']['SubscriberErasedData'];
export type SubscriberErasedEvent = components['schemas']['SubscriberErasedEvent'];
export type SubscriberList = components['schemas']['SubscriberList'];
export type SubscribersGetQuery = components['schemas']['SubscribersGetQuery'];
export type SubscribersListEventsQuery = components['schemas']['SubscribersListEventsQuery'];
export type SubscribersListQuery = components['schemas']['SubscribersListQuery'];
export type SubscribersTimelineQuery = components['schemas']['SubscribersTimelineQuery'];
export type SubscriberUpdatedData = components['schemas']['SubscriberUpdatedData'];
export type SubscriberUpdatedEvent = components['schemas']['SubscriberUpdatedEvent'];
export type Subscription = components['schemas']['Subscription'];
export type SubscriptionActivatedData = components['schemas']['SubscriptionActivatedData'];
export type SubscriptionActivatedEvent = components['schemas']['SubscriptionActivatedEvent'];
export type SubscriptionCancellationScheduledData =
  components['schemas']['SubscriptionCancellationScheduledData'];
export type SubscriptionCancellationScheduledEvent =
  components['schemas']['SubscriptionCancellationScheduledEvent'];
export type SubscriptionCancellationUnscheduledEvent =
  components['schemas']['SubscriptionCancellationUnscheduledEvent'];
export type SubscriptionCancelledData = components['schemas']['SubscriptionCancelledData'];
export type SubscriptionCancelledEvent = components['schemas']['SubscriptionCancelledEvent'];
export type SubscriptionDiscountAppliedData =
  components['schemas']['SubscriptionDiscountAppliedData'];
export type SubscriptionDiscountAppliedEvent =
  components['schemas']['SubscriptionDiscountAppliedEvent'];
export type SubscriptionLapsedData = components['schemas']['SubscriptionLapsedData'];
export type SubscriptionLapsedEvent = components['schemas']['SubscriptionLapsedEvent'];
export type SubscriptionList = components['schemas']['SubscriptionList'];
export type SubscriptionPastDueData = components['schemas']['SubscriptionPastDueData'];
export type SubscriptionPastDueEvent = components['schemas']['SubscriptionPastDueEvent'];
export type SubscriptionPausedEvent = components['schemas']['SubscriptionPausedEvent'];
export type SubscriptionPauseScheduledData =
  components['schemas']['SubscriptionPauseScheduledData'];
export type SubscriptionPauseScheduledEvent =
  components['schemas']['SubscriptionPauseScheduledEvent'];
export type SubscriptionPauseUnscheduledData =
  components['schemas']['SubscriptionPauseUnscheduledData'];
export type SubscriptionPauseUnscheduledEvent =
  components['schemas']['SubscriptionPauseUnscheduledEvent'];
export type SubscriptionPlanChangedData = components['schemas']['SubscriptionPlanChangedData'];
export type SubscriptionPlanChangedEvent = components['schemas']['SubscriptionPlanChangedEvent'];
export type SubscriptionReactivatedData = components['schemas']['SubscriptionReactivatedData'];
export type SubscriptionReactivatedEvent = components['schemas']['SubscriptionReactivatedEvent'];
export type SubscriptionRenewalUpcomingData =
  components['schemas']['SubscriptionRenewalUpcomingData'];
export type SubscriptionRenewalUpcomingEvent =
  components['schemas']['SubscriptionRenewalUpcomingEvent'];
export type SubscriptionRenewedData = components['schemas']['SubscriptionRenewedData'];
export type SubscriptionRenewedEvent = components['schemas']['SubscriptionRenewedEvent'];
export type SubscriptionResumedData = components['schemas']['SubscriptionResumedData'];
export type SubscriptionResumedEvent = components['schemas']['SubscriptionResumedEvent'];
export type SubscriptionsGetQuery = components['schemas']['SubscriptionsGetQuery'];
export type SubscriptionsListQuery = components['schemas']['SubscriptionsListQuery'];
export type SubscriptionTrialExtendedData = components['schemas']['SubscriptionTrialExtendedData'];
export type SubscriptionTrialExtendedEvent =
  components['schemas']['SubscriptionTrialExtendedEvent'];
export type SubscriptionTrialStartedData = components['schemas']['SubscriptionTrialStartedData'];
export type SubscriptionTrialStartedEvent = components['schemas']['SubscriptionTrialStartedEvent'];
export type SubscriptionTrialWillEndData = components['schemas']['SubscriptionTrialWillEndData'];
export type SubscriptionTrialWillEndEvent = components['schemas']['SubscriptionTrialWillEndEvent'];
export type TestClock = components['schemas']['TestClock'];
export type TestHelpersListOutboxQuery = components['schemas']['TestHelpersListOutboxQuery'];
export type TestPingData = components['schemas']['TestPingData'];
export type TestPingEvent = components['schemas']['TestPingEvent'];
export type Ticket = components['schemas']['Ticket'];
export type TicketClosedData = components['schemas']['TicketClosedData'];
export type TicketClosedEvent = components['schemas']['TicketClosedEvent'];
export type TicketList = components['schemas']['TicketList'];
export type TicketReopenedData = components['schemas']['TicketReopenedData'];
export type TicketReopenedEvent = components['schemas']['TicketReopenedEvent'];
export type TicketResolvedEvent = components['schemas']['TicketResolvedEvent'];
export type TicketsListQuery = components['schemas']['TicketsListQuery'];
export type TicketSubmittedData = components['schemas']['TicketSubmittedData'];
export type TicketSubmittedEvent = components['schemas']['TicketSubmittedEvent'];
export type TicketUpdatedEvent = components['schemas']['TicketUpdatedEvent'];
export type TimelineItem = components['schemas']['TimelineItem'];
export type TimelineItemList = components['schemas']['TimelineItemList'];
export type TriggerMotionBody = components['schemas']['TriggerMotionBody'];
export type UnprojectedEvent = components['schemas']['UnprojectedEvent'];
export type UpdateSubscriberBody = components['schemas']['UpdateSubscriberBody'];
