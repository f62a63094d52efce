// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
export interface components {
  schemas: {
    /**
     * @description Who caused it: the API, the dashboard, the service, a motion or the provider.
     * @enum {string}
     */
    Actor: 'api' | 'dashboard' | 'system' | 'motion' | 'provider';
    AdvanceClockBody: {
      /**
       * Format: date-time
       * @description The new time: later than the current time of the clock, by at most two billing intervals of its shortest running subscription, or by 730 days if there is none.
       */
      frozen_time: string;
    };
    AmendTicketBody: {
      /** @description The priority. */
      priority?: components['schemas']['Priority'];
      /**
       * @description The subject. Personal: shown with the scope `pii:read` only.
       * @example Charged twice in March
       */
      subject?: string | null;
      topic?: components['schemas']['Topic'];
    };
    AppliedOffer: {
      /** @description The id of the object that the offer changed or created; null without one. */
      ref: string | null;
      /** @description The type of the object. */
      type: string;
    };
    AuditItem: {
      /**
       * @description The action: a noun and what happened to it, such as `destination.updated`.
       * @example destination.updated
       */
      action: string;
      /** @description Who caused it. */
      actor: {
        /** @description The id of the object. */
        id: string;
        /** @description The name of the key or operator at the time of the action. Of a member: the current name, or the role if there is none. */
        name: string;
        /**
         * @description The type of the object.
         * @enum {string}
         */
        type: 'api_key' | 'operator' | 'member';
      };
      /** @description The address from which the request came. */
      address: string | null;
      /**
       * Format: date-time
       * @description When the call was made. It is a real time also on a subscriber with a test clock.
       */
      at: string;
      /** @description The id of the object. */
      id: string;
      /** @description The object of the action. */
      object: {
        /** @description The id of that object. */
        id: string;
        /** @description The current name, if the object is a member; null for other objects. */
        name: string | null;
        /** @description The kind of that object. */
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
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    AuditLogListQuery: {
      /** @description The action, for example `destination.updated` or `analytics.exported`. */
      action?: string;
      /** @description Only actions of the actor with this id. */
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
      /** @description Only actions on the object with this id. */
      object?: string;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
    };
    /** @enum {string} */
    Billing: 'continue' | 'new_period';
    CancelBody: {
      /** @description The words of the subscriber. Personal. */
      comment?: string | null;
      /**
       * @description When it takes effect: at the end of the period, or at once.
       * @default period_end
       * @example period_end
       */
      effective?: components['schemas']['Effective'];
      /**
       * @description The reason that the subscriber gave, as one of these words.
       * @example too_expensive
       */
      feedback?: components['schemas']['CancelFeedback'] | null;
    };
    /** @enum {string} */
    CancelFeedback:
      | 'customer_service'
      | 'low_quality'
      | 'missing_features'
      | 'other'
      | 'switched_service'
      | 'too_complex'
      | 'too_expensive'
      | 'unused';
    /** @enum {string} */
    Category: 'promotional' | 'goodwill' | 'proration' | 'refund' | 'paid';
    ChangeCohortBody: {
      /**
       * @description Replaces the whole definition. Members enter and exit with `reason: definition_changed`.
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
       * @description The address to which e-mails are sent. Required for `email_fallback`, and only for it.
       */
      email?: string;
      /**
       * @description Types, families such as `payment.*`, or `*`. Default: every type. An e-mail destination takes `ticket.submitted` only.
       * @example [
       *       "payment.*",
       *       "ticket.submitted"
       *     ]
       */
      event_types?: string[] | null;
      /** @description How many deliveries may be in progress at a time. */
      max_in_flight?: number;
      /** @description How long a failing delivery delays newer events of its subscriber: 5 minutes, or (`strict`) until it succeeds or is given up. */
      ordering?: components['schemas']['Ordering'];
      pii_mode?: components['schemas']['PiiMode'];
      /** @description How many deliveries may begin in a second; null is no limit. */
      rate_limit_per_second?: number | null;
      /** @description For `email_fallback`: whether Reply-To is the address of the subscriber. */
      reply_to_subscriber?: boolean;
      /**
       * @description With `status: "active"`: whether to skip the events that came while it was disabled. Skipped events can be replayed.
       * @enum {string}
       */
      resume_from?: 'now';
      /** @description The version of the catalogue in which events are sent. Default: the newest. */
      schema_version?: string | null;
      /**
       * @description `active` continues where the destination stopped and sends waiting retries at once. The 5 days of failure after which it is disabled start again.
       * @enum {string}
       */
      status?: 'active' | 'disabled';
      /** @description For `email_fallback`: the subject, a text with placeholders such as `[{{data.topic}}] {{data.subject}}`. */
      subject_template?: string | null;
      /** @description With `off` webhooks have no header `traceparent`. The delivery log still shows the trace id. */
      trace_headers?: components['schemas']['TraceHeaders'];
      /**
       * Format: uri
       * @description Where events are POSTed: an `https://` URL at a public address. Required for `https_webhook`, and only for it. White space and control characters must be encoded.
       * @example https://example.com/webhooks
       */
      url?: string;
    };
    ChangeMotionBody: {
      /** @description For how many days after an acceptance payments count as retained. */
      attribution_days?: number;
      /** @description Only subscribers in at least one of these cohorts. Default: every subscriber. */
      cohort_ids?: string[];
      /** @description A text for your own use. */
      description?: string | null;
      /** @description The share of subscribers who get no offer, for comparison. */
      holdout_percent?: number;
      /** @description What the motion is for. */
      kind?: components['schemas']['MotionKind'];
      /** @description How often the motion may be triggered and accepted. */
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
      /** @description For how many hours an offer can be accepted. */
      offer_valid_hours?: number;
      /** @description Whether you trigger the motion, or entering one of its cohorts does. */
      trigger_mode?: components['schemas']['TriggerMode'];
    };
    ChangePlanBody: {
      /**
       * @description How the difference is charged. `create_prorations`: with the next renewal. `always_invoice`: now; if the charge is declined, nothing changes. `none`: not at all; the new price counts from the next renewal.
       * @default create_prorations
       */
      proration_behavior?: components['schemas']['ProrationBehavior'];
      /**
       * Format: date-time
       * @description The `proration_date` of a preview that is at most 15 minutes old. The change then has the same amounts.
       */
      proration_date?: string;
      /**
       * @description The id of the plan.
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
      /** @description Who belongs to the cohort. All fields must match; `{}` is everyone. */
      definition: {
        /** @description At least this score; a subscriber without a score never matches. */
        engagement_score_min?: number;
        /** @description The primary subscription has one of these plans. */
        plan_ids?: string[];
        /** @description The primary subscription has one of these statuses. */
        status?: components['schemas']['SubscriptionStatus'][];
        /** @description The subscriber has none of these tags. */
        tags_exclude?: string[];
        /** @description The subscriber has one of these tags, or with `tags_match: "all"` all of them. */
        tags_include?: string[];
        /** @description Whether one of `tags_include` is enough, or all are needed. */
        tags_match?: components['schemas']['TagsMatch'];
        /** @description At most this many days since the subscriber was created. */
        tenure_days_max?: number;
        /** @description At least this many days since the subscriber was created. */
        tenure_days_min?: number;
      };
      /** @description A text for your own use. */
      description: string | null;
      /** @description The id of the object. */
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
    CohortDefinitionBody: {
      /** @description At least this score; a subscriber without a score never matches. */
      engagement_score_min?: number;
      /** @description The primary subscription has one of these plans. */
      plan_ids?: string[];
      /** @description The primary subscription has one of these statuses. */
      status?: components['schemas']['SubscriptionStatus'][];
      /** @description The subscriber has none of these tags. */
      tags_exclude?: string[];
      /** @description The subscriber has one of these tags, or with `tags_match: "all"` all of them. */
      tags_include?: string[];
      /**
       * @description Whether one of `tags_include` is enough, or all are needed.
       * @default any
       */
      tags_match?: components['schemas']['TagsMatch'];
      /** @description Inclusive. */
      tenure_days_max?: number;
      /** @description Inclusive. */
      tenure_days_min?: number;
    };
    /** @description Memberships follow every change, usually within a second. An entry and an exit that cancel out within that time may cause no events. Entries and exits always alternate, and the last one gives the current membership. Deleting a cohort or erasing a subscriber ends memberships without an event. */
    CohortEnteredData: {
      /** @description Who caused it. */
      actor: components['schemas']['Actor'];
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
      /**
       * @description What happened.
       * @example {
       *       "cohort_id": "cohort_5v8w3x6y9z2b4c7d",
       *       "cohort_name": "Stay with us",
       *       "reason": "subscriber_changed",
       *       "actor": "api"
       *     }
       */
      data: components['schemas']['CohortEnteredData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'cohort.entered';
    };
    /** @description A subscriber is no longer a member of a cohort. */
    CohortExitedEvent: components['schemas']['EventFields'] & {
      /**
       * @description What happened.
       * @example {
       *       "cohort_id": "cohort_5v8w3x6y9z2b4c7d",
       *       "cohort_name": "Stay with us",
       *       "reason": "subscriber_changed",
       *       "actor": "api"
       *     }
       */
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
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    CohortMember: {
      /**
       * Format: date-time
       * @description When the subscriber became a member.
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
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    CohortPreview: {
      /** @description The newest of them, at most five. */
      examples: {
        /** @description The e-mail address. */
        email?: string | null;
        /** @description The id of the object. */
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
    /** @description How many runs ever reached each state. */
    Counts: {
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
      /** @description Runs of the holdout: no offer was shown. */
      suppressed: number;
      /** @description Runs that were triggered. */
      triggered: number;
    };
    CreateClockBody: {
      /**
       * Format: date-time
       * @description The first time of the clock, in the years 1970 to 8999.
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
       * @description All fields must match; `{}` is everyone.
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
      /** @description Only subscribers in at least one of these cohorts. Default: every subscriber. */
      cohort_ids?: string[];
      /** @description A text for your own use. */
      description?: string | null;
      /**
       * @description The share of subscribers who get no offer, for comparison.
       * @default 0
       */
      holdout_percent?: number;
      /**
       * @description What the motion is for.
       * @example cancel_save
       */
      kind: components['schemas']['MotionKind'];
      /** @description How often the motion may be triggered and accepted. */
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
       * @description For how many hours an offer can be accepted.
       * @default 72
       */
      offer_valid_hours?: number;
      /**
       * @description Whether you trigger the motion, or entering one of its cohorts does.
       * @default manual
       */
      trigger_mode?: components['schemas']['TriggerMode'];
    };
    CreateRefundBody: {
      /**
       * @description The amount in minor units. Default: what is left of the payment.
       * @example 500
       */
      amount?: number;
      /**
       * @description Where the money goes. With `credit` the subscriber gets it as a credit.
       * @default original
       */
      destination?: components['schemas']['RefundDestination'];
      /** @description Personal. */
      note?: string | null;
      /**
       * @description Why it happened.
       * @example requested_by_customer
       */
      reason: components['schemas']['RefundReason'];
      /** @description The id of a ticket of the subscriber that led to the refund. */
      ticket_id?: string | null;
    };
    CreateSubscriberBody: {
      /**
       * Format: email
       * @description The e-mail address. Personal: shown with the scope `pii:read` only.
       * @example ada@example.com
       */
      email: string;
      /** @description Your own id, unique in the environment. It is no personal field: whoever may read subscribers sees it and finds by it, so do not put an e-mail address or a name into it. */
      external_id?: string | null;
      /**
       * @description Key/value pairs of your own: at most 50 keys of 40 characters, values of 500. The keys outlive an erasure in the log, so they must not hold personal data; the values are erased.
       * @example {
       *       "city": "Paris"
       *     }
       */
      metadata?: {
        [key: string]: string;
      };
      /**
       * @description Short labels of your own. They outlive an erasure in the log, so they must not hold personal data.
       * @example [
       *       "annual",
       *       "newsletter"
       *     ]
       */
      tags?: string[];
      /** @description For test environments: the test clock that gives the time of the subscriber. */
      test_clock?: string | null;
    };
    CreateSubscriptionBody: {
      /** @description Your own id, unique in the environment. */
      external_id?: string | null;
      /**
       * @description In test environments one of the `pm_test_…` methods; in live environments the reference of your payment provider.
       * @example pm_test_ok
       */
      payment_method?: string;
      /**
       * @description The id of the plan.
       * @example pro
       */
      plan: string;
      /** @description The id of the subscriber. */
      subscriber_id: string;
      /** @description The length of the trial; 0 is no trial. Default, if `trial_end` is not given either: the trial of the plan. */
      trial_days?: number;
      /**
       * Format: date-time
       * @description The end of the trial, a time in the future. Instead of `trial_days`.
       */
      trial_end?: string;
    };
    Credit: {
      /** @description The amount in minor units. */
      amount: number;
      /** @description The category. Promotional credits are used before paid ones. */
      category: components['schemas']['Category'];
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description An ISO 4217 code in upper case. */
      currency: string;
      /**
       * Format: date-time
       * @description When it ends; null is never.
       */
      expires_at: string | null;
      /** @description The id of the object. */
      id: string;
      /** @description A note for your team. Personal: shown with the scope `pii:read` only. */
      note?: string | null;
      /** @description The amount in minor units. */
      remaining: number;
      /** @description The source. */
      source: {
        /** @description The id of what it comes from; null without one. */
        id: string | null;
        /** @description The type of what it comes from. */
        type: string;
      };
      /** @description The state of the object. */
      status: components['schemas']['CreditStatus'];
      /** @description The id of the subscriber. */
      subscriber_id: string;
    };
    CreditAppliedData: {
      /** @description Who caused it. */
      actor: components['schemas']['Actor'];
      /** @description The amount in minor units. */
      amount: number;
      /** @description The category. Promotional credits are used before paid ones. */
      category: components['schemas']['Category'];
      /** @description The id of the credit; null without one. */
      credit_id: string;
      /** @description An ISO 4217 code in upper case. */
      currency: string;
      /** @description The id of the payment; null without one. */
      payment_id: string | null;
      /** @description Why it happened. */
      reason: string;
      /** @description The amount in minor units. */
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
    /** @description A subscriber was given a credit. */
    CreditGrantedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description The amount in minor units. */
        amount: number;
        /** @description The category. Promotional credits are used before paid ones. */
        category: components['schemas']['Category'];
        /** @description The id of the credit; null without one. */
        credit_id: string;
        /** @description An ISO 4217 code in upper case. */
        currency: string;
        /** @description The id of the motion run that caused it; null without one. */
        motion_run_id: string | null;
        /** @description The id of the payment; null without one. */
        payment_id: string | null;
        /** @description Why it happened. */
        reason: string;
        /** @description The amount in minor units. */
        remaining: number;
      };
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
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
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
      /** @description Only those in this status. */
      status?: components['schemas']['CreditStatus'];
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
    /** @enum {string} */
    CreditStatus: 'active' | 'depleted' | 'expired' | 'voided';
    CreditTransaction: {
      /** @description The amount in minor units. */
      amount: number;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description The id of the credit; null without one. */
      credit_id: string;
      /** @description An ISO 4217 code in upper case. */
      currency: string;
      /** @description The amount in minor units. */
      ending_balance: number;
      /** @description The id of the object. */
      id: string;
      /** @description The id of the payment; null without one. */
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
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
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
    /** @enum {string} */
    CsvColumns: 'short' | 'all';
    /** @enum {string} */
    DeclineType: 'soft' | 'hard';
    /** @enum {string} */
    DedupeStrategy: 'skip_existing' | 'force_redeliver';
    DeletedDestination: {
      /**
       * Format: date-time
       * @description When it was deleted; null if it is not.
       */
      deleted_at: string;
      /** @description The id of the object. */
      id: string;
      /**
       * Format: date-time
       * @description Until when it can be restored; null if it is not deleted.
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
      /** @description Only deliveries to this destination. */
      destination_id?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /**
       * @description A type such as `payment.failed`, or a family such as `payment.*`.
       * @example payment.*
       */
      event_type?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /** @description Only those in this status. */
      status?: components['schemas']['DeliveryStatus'];
      /** @description Only deliveries whose last attempt was answered with this HTTP status. */
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
      /**
       * @description A type such as `payment.failed`, or a family such as `payment.*`.
       * @example payment.*
       */
      event_type?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /** @description Only those in this status. */
      status?: components['schemas']['DeliveryStatus'];
    };
    Delivery: {
      /** @description How many attempts there were, with those by hand and failed probes of a receiver that is down. An attempt of a payment counts when its outcome is known. */
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
      /** @description Why there was no complete response: `timeout`; `dns_not_found`, `dns_failed`; `connection_refused`, `connection_unreachable`, `connection_reset`, `connection_closed`, `connection_failed`; `tls_certificate_expired`, `tls_certificate_untrusted`, `tls_certificate_of_other_name`, `tls_failed`; `answer_invalid`, `answer_incomplete`, `answer_headers_too_large`; `url_not_allowed`, `address_not_allowed` (a store of the service); `proxy_closed`, `proxy_refused_407` with its status; `event_deleted`. Null if there was a response, with any status. */
      last_error: string | null;
      /** @description The HTTP status of the latest response; null if none came. */
      last_status_code: number | null;
      /**
       * Format: date-time
       * @description When the next attempt is planned; null if none is. It lies in the past while the receiver is down and only probed.
       */
      next_attempt_at: string | null;
      /** @description The id of the replay; null for live deliveries. */
      replay_id: string | null;
      /** @description The state of the object. */
      status: components['schemas']['DeliveryStatus'];
      /** @description The trace of the last attempt, as in its `traceparent`. */
      trace_id: string | null;
      waiting_for: components['schemas']['WaitingFor'];
    };
    DeliveryDetail: {
      /** @description How many attempts there were, with those by hand and failed probes of a receiver that is down. An attempt of a payment counts when its outcome is known. */
      attempt_count: number;
      /** @description Every attempt, oldest first. */
      attempts: {
        /**
         * Format: date-time
         * @description When it happened.
         */
        at: string;
        /** @description The number of the attempt, from 1. */
        attempt: number;
        /** @description The duration of the attempt in milliseconds. */
        duration_ms: number;
        /** @description Why there was no complete response: `timeout`; `dns_not_found`, `dns_failed`; `connection_refused`, `connection_unreachable`, `connection_reset`, `connection_closed`, `connection_failed`; `tls_certificate_expired`, `tls_certificate_untrusted`, `tls_certificate_of_other_name`, `tls_failed`; `answer_invalid`, `answer_incomplete`, `answer_headers_too_large`; `url_not_allowed`, `address_not_allowed` (a store of the service); `proxy_closed`, `proxy_refused_407` with its status; `event_deleted`. Null if there was a response, with any status. */
        error: string | null;
        /** @description For an attempt of a replay: the trace in which the event happened. A replay has a trace of its own. */
        linked_trace_id: string | null;
        /** @description The id of the replay; null for live deliveries. */
        replay_id: string | null;
        /** @description The first 4 KiB of the response; null if none came. */
        response_body: string | null;
        /** @description The HTTP status of the response; null if none came. */
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
      /** @description Why there was no complete response: `timeout`; `dns_not_found`, `dns_failed`; `connection_refused`, `connection_unreachable`, `connection_reset`, `connection_closed`, `connection_failed`; `tls_certificate_expired`, `tls_certificate_untrusted`, `tls_certificate_of_other_name`, `tls_failed`; `answer_invalid`, `answer_incomplete`, `answer_headers_too_large`; `url_not_allowed`, `address_not_allowed` (a store of the service); `proxy_closed`, `proxy_refused_407` with its status; `event_deleted`. Null if there was a response, with any status. */
      last_error: string | null;
      /** @description The HTTP status of the latest response; null if none came. */
      last_status_code: number | null;
      /**
       * Format: date-time
       * @description When the next attempt is planned; null if none is. It lies in the past while the receiver is down and only probed.
       */
      next_attempt_at: string | null;
      /** @description The id of the replay; null for live deliveries. */
      replay_id: string | null;
      /** @description The state of the object. */
      status: components['schemas']['DeliveryStatus'];
      /** @description The trace of the last attempt, as in its `traceparent`. */
      trace_id: string | null;
      waiting_for: components['schemas']['WaitingFor'];
    };
    DeliveryList: {
      /** @description The objects of this page. */
      data: components['schemas']['Delivery'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
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
    /** @enum {string} */
    DeliveryStatus: 'pending' | 'delivered' | 'failed';
    Destination: {
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it was deleted; null if it is not.
       */
      deleted_at: string | null;
      /** @description A text for your own use. */
      description: string | null;
      /**
       * Format: date-time
       * @description When it was disabled; null if it is not.
       */
      disabled_at: string | null;
      /** @description Why it is disabled; null if it is not. */
      disabled_reason: components['schemas']['DisabledReason'] | null;
      /** @description Where e-mails are sent. Absent for webhook destinations. */
      email?: string;
      environment: components['schemas']['Environment'];
      /** @description Types of events, or families such as `payment.*`; null is every type. */
      event_types: string[] | null;
      /** @description The id of the object. */
      id: string;
      /** @description How many deliveries may be in progress at a time. */
      max_in_flight: number;
      /** @description How long a failing delivery delays newer events of its subscriber: 5 minutes, or (`strict`) until it succeeds or is given up. */
      ordering: components['schemas']['Ordering'];
      pii_mode: components['schemas']['PiiMode'];
      /**
       * Format: date-time
       * @description Until when the old secret is valid as well; null without one.
       */
      previous_secret_expires_at: string | null;
      /** @description How many deliveries may begin in a second; null is no limit. */
      rate_limit_per_second: number | null;
      /**
       * Format: date-time
       * @description Until when it can be restored; null if it is not deleted.
       */
      recoverable_until: string | null;
      /** @description Whether a reply goes to the subscriber. */
      reply_to_subscriber?: boolean;
      /** @description The version of the catalogue that the event is written in. */
      schema_version: string;
      /** @description The state of the object. */
      status: components['schemas']['DestinationStatus'];
      /** @description The template of the subject; null is the default. */
      subject_template?: string | null;
      /** @description Whether deliveries carry the trace of the request in `traceparent`: `on`, or `off`. */
      trace_headers: components['schemas']['TraceHeaders'];
      /** @description The kind of destination: a webhook or an e-mail address. */
      type: components['schemas']['DestinationType'];
      /** @description Where events are sent. Absent for e-mail destinations. */
      url?: string;
    };
    DestinationHealth: {
      /** @description The id of the destination. */
      destination_id: string;
      /** @description Why it is disabled; null if it is not. */
      disabled_reason: components['schemas']['DisabledReason'] | null;
      /**
       * Format: date-time
       * @description When the first attempt failed since the last success; null if the destination does not fail.
       */
      failing_since: string | null;
      /** @description Whether attempts succeed. For a `disabled` destination no attempts are made. */
      health: components['schemas']['Health'];
      /** @description How many attempts are in progress, at most 2 s ago. */
      in_flight: number;
      /** @description Numbers of the last 24 hours, from the newest 5000 deliveries. */
      last_24_hours: {
        /** @description How many events the receiver accepted. */
        delivered: number;
        /** @description How many events of each hour were delivered: 24 numbers, the oldest hour first. */
        delivered_by_hour: number[];
        /** @description How many deliveries were given up after the last attempt. */
        failed: number;
        /** @description Delivered at the first attempt ÷ all; null without deliveries. */
        first_try_rate: number | null;
        /** @description How many deliveries failed so far and are tried again later. */
        pending: number;
        /** @description 95 % of the attempts were answered within this time. */
        response_p95_ms: number | null;
      };
      /** @description Why the latest attempt failed; null if it did not. */
      last_error: string | null;
      /** @description The HTTP status of the last failed attempt. */
      last_status_code: number | null;
      /**
       * Format: date-time
       * @description When the receiver last accepted an event.
       */
      last_success_at: string | null;
      /**
       * Format: date-time
       * @description When the oldest event that waits was created.
       */
      oldest_waiting_at: string | null;
      /** @description How many events wait for an attempt. For a destination that is down or disabled that includes up to 10,000 events that it has not taken from the log, which are not in the list of deliveries yet. */
      waiting: number;
    };
    DestinationHealthList: {
      /** @description The objects of this page. */
      data: components['schemas']['DestinationHealth'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    DestinationList: {
      /** @description The objects of this page. */
      data: components['schemas']['Destination'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
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
      /** @description Only this destination. */
      destination_id?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /** @description Only those of this health. */
      health?: components['schemas']['Health'];
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
      /** @description Default: active and disabled destinations. */
      status?: components['schemas']['DestinationStatus'];
    };
    /** @enum {string} */
    DestinationStatus: 'active' | 'disabled' | 'deleted';
    DestinationTest: {
      /** @description The duration of the attempt in milliseconds. */
      duration_ms: number;
      /** @description Why the attempt failed; null if it did not. */
      error: string | null;
      /** @description The HTTP status of the response; null if none came. */
      status_code: number | null;
    };
    /** @enum {string} */
    DestinationType: 'https_webhook' | 'email_fallback';
    /** @enum {string} */
    DisabledReason: 'gone' | 'failing' | 'manual';
    DisputeBody: {
      /** @description The state of the dispute. `won` and `lost` are final. */
      dispute_status: components['schemas']['DisputeStatus'];
    };
    /** @enum {string} */
    DisputeStatus: 'open' | 'won' | 'lost';
    /** @enum {string} */
    Duration: 'once' | 'repeating' | 'forever';
    /** @enum {string} */
    Effective: 'period_end' | 'immediately';
    EmitEventBody: {
      /**
       * @description Fields of `data` that replace those of the fixture. They must match the schema of the type (`GET /v1/event_types/{eventType}`); an error names the field.
       * @example {}
       */
      data?: {
        [key: string]: unknown;
      };
      /** @description The id of the subscriber. Default: a new subscriber is created. */
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
       * @description When the score was observed; not in the future. Default: now. A score older than the stored one is ignored.
       */
      observed_at?: string;
      /**
       * @description The score, from 0 to 100.
       * @example 62
       */
      score: number;
    };
    /**
     * @description The environment: `live` or `test`. The two never mix.
     * @enum {string}
     */
    Environment: 'live' | 'test';
    Erasure: {
      /**
       * Format: date-time
       * @description When the personal data was erased; null if it was not.
       */
      erased_at: string;
      /** @description The id of the object. */
      id: string;
    };
    /**
     * @description The kind of error, for programs. New codes may be added.
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
      /** @description The facts of the event. The type decides which fields there are. */
      data: {
        [key: string]: unknown;
      };
      environment: components['schemas']['Environment'];
      /** @description The id of the object. */
      id: string;
      /** @description The version of the catalogue that the event is written in. */
      schema_version: string;
      /** @description The number of the event among all events of its subscriber, from 1. Receivers order by it. */
      sequence: number;
      /** @description The subscriber that the event is about. */
      subscriber: components['schemas']['EventSubscriber'];
      /** @description The subscription as it was at the time of the event. Absent where there is none. */
      subscription?: components['schemas']['Subscription'];
      /** @description The tenant of the event. */
      tenant: components['schemas']['EventTenant'];
      /** @description The id of the test clock of the subscriber. Absent without one. */
      test_clock_id?: string;
      /** @description The type of the event, such as `payment.succeeded`. */
      type: string;
    };
    EventCounts: {
      /** @description The length of a bucket. */
      granularity: components['schemas']['EventCountsGranularity'];
      /** @description The buckets, oldest first. Buckets without events are left out. */
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
    /** @enum {string} */
    EventCountsGranularity: 'hour' | 'day' | 'month';
    EventDelivery: {
      /** @description How many attempts there were, with those by hand and failed probes of a receiver that is down. An attempt of a payment counts when its outcome is known. */
      attempt_count: number;
      /**
       * Format: date-time
       * @description When the receiver answered with a 2xx; null before.
       */
      delivered_at: string | null;
      /** @description The id of the destination. */
      destination_id: string;
      /** @description The status of the destination now. `deleted`: what the event became before that; for 30 days, even if the destination was deleted for good. */
      destination_status: components['schemas']['DestinationStatus'];
      /** @description The id of the event. Receivers recognise repeats by it. */
      event_id: string;
      /** @description The type of the event. */
      event_type: string;
      /**
       * Format: date-time
       * @description When the latest attempt was made; null before the first.
       */
      last_attempt_at: string | null;
      /** @description Why there was no complete response: `timeout`; `dns_not_found`, `dns_failed`; `connection_refused`, `connection_unreachable`, `connection_reset`, `connection_closed`, `connection_failed`; `tls_certificate_expired`, `tls_certificate_untrusted`, `tls_certificate_of_other_name`, `tls_failed`; `answer_invalid`, `answer_incomplete`, `answer_headers_too_large`; `url_not_allowed`, `address_not_allowed` (a store of the service); `proxy_closed`, `proxy_refused_407` with its status; `event_deleted`. Null if there was a response, with any status. */
      last_error: string | null;
      /** @description The HTTP status of the latest response; null if none came. */
      last_status_code: number | null;
      /**
       * Format: date-time
       * @description When the next attempt is planned; null if none is. It lies in the past while the receiver is down and only probed.
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
        | 'destination_disabled'
        | 'log_expired';
      /** @description The trace of the last attempt, as in its `traceparent`. */
      trace_id: string | null;
      waiting_for: components['schemas']['WaitingFor'];
    };
    EventDeliveryList: {
      /** @description The objects of this page. */
      data: components['schemas']['EventDelivery'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    /** @description The fields that all events have. */
    EventFields: {
      /**
       * Format: date-time
       * @description When it happened, with milliseconds.
       * @example 2026-03-10T12:00:00.000Z
       */
      created_at: string;
      /**
       * @description The environment: `live` or `test`. The two never mix.
       * @example test
       */
      environment: components['schemas']['Environment'];
      /**
       * @description The id of the object.
       * @example evt_06aq2c6c3vf6nb1rx4d5k8w7ze
       */
      id: string;
      /**
       * @description The version of the catalogue that the event is written in.
       * @example v1
       */
      schema_version: string;
      /**
       * @description The number of the event among all events of its subscriber, from 1. Receivers order by it.
       * @example 3
       */
      sequence: number;
      /** @description The subscriber that the event is about. */
      subscriber: components['schemas']['EventSubscriber'];
      /** @description The subscription as it was at the time of the event. Absent where there is none. */
      subscription?: components['schemas']['Subscription'];
      /**
       * @description The tenant of the event.
       * @example {
       *       "id": "tnt_9b4d7f2h6j8k3m5n",
       *       "name": "Acme Magazine"
       *     }
       */
      tenant: components['schemas']['EventTenant'];
      /** @description The id of the test clock of the subscriber. Absent without one. */
      test_clock_id?: string;
    };
    EventList: {
      /** @description The objects of this page. */
      data: components['schemas']['Event'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    EventsCountsQuery: {
      /**
       * Format: date-time
       * @description Only events created at this moment or later.
       */
      created_after?: string;
      /**
       * Format: date-time
       * @description Only events created before this moment.
       */
      created_before?: string;
      /** @description Types or families, comma-separated: `ticket.submitted,payment.*`. */
      event_types?: string[];
      /**
       * @description The length of a bucket.
       * @default day
       */
      granularity?: components['schemas']['EventCountsGranularity'];
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
       */
      order?: components['schemas']['Order'];
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
       * @description When the first subscription became active or its trial began; until then, when the subscriber was registered. So it may change once. `GET /v1/subscribers/{subscriberId}` shows the registration.
       */
      created_at: string;
      /** @description The e-mail address. Left out in the privacy mode `hashed_only`. */
      email?: string | null;
      /** @description `sha256:` and the SHA-256 of the e-mail address in lower case; 64 zeros after an erasure. */
      email_hashed: string;
      /** @description The id of the object. */
      id: string;
    };
    EventTenant: {
      /** @description The id of the object. */
      id: string;
      /** @description A name for people to read. */
      name: string;
    };
    EventType: {
      /**
       * @description When it happens.
       * @example A ticket was submitted.
       */
      description: string;
      /**
       * @description The family of the type: the part before the dot.
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
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    EventTypesListQuery: {
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /** @description Without it, the list is one page. */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
    };
    EventTypesListVersionsQuery: {
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /** @description Without it, the list is one page. */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
    };
    /** @description The reason that the subscriber gave, as one of these words. */
    Feedback: components['schemas']['CancelFeedback'] | null;
    FieldError: {
      /** @description The code of the error. Programs decide by it. */
      code: components['schemas']['ErrorCode'];
      /** @description What went wrong, as a text for people. It may change. */
      message: string;
      /** @description The field, parameter or header that is wrong; null if there is none. */
      param: string;
    };
    GrantCreditBody: {
      /**
       * @description In minor units.
       * @example 500
       */
      amount: number;
      /**
       * @description The category. Promotional credits are used before paid ones.
       * @default goodwill
       */
      category?: components['schemas']['Category'];
      /**
       * @description Default: the currency of the tenant.
       * @example USD
       */
      currency?: string;
      /**
       * Format: date-time
       * @description When the credit expires: a time in the future; null is never.
       */
      expires_at?: string | null;
      /** @description Personal. */
      note?: string | null;
    };
    /** @enum {string} */
    Granularity: 'day' | 'week' | 'month';
    /** @enum {string} */
    Health: 'healthy' | 'failing' | 'disabled';
    Import: {
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description Whether destinations receive the imported history. */
      deliver: boolean;
      /** @description Why the job failed; null if it did not. */
      failure_reason: string | null;
      /**
       * Format: date-time
       * @description When the job ended; null before.
       */
      finished_at: string | null;
      /**
       * @description The id of the object.
       * @example imp_0k3v9c2m8x7q1z5n
       */
      id: string;
      /** @description How many lines were refused. */
      lines_failed: number;
      /** @description How many lines were imported, or had been imported before. */
      lines_ok: number;
      /** @description How many lines were read. */
      lines_total: number;
      /**
       * Format: date-time
       * @description When the job began; null while it is queued.
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
       * @description The number of the line, counted from 1.
       * @example 17
       */
      line: number;
      /**
       * @description What went wrong, as a text for people. It may change.
       * @example email is not valid.
       */
      message: string;
      /**
       * @description The field, parameter or header that is wrong; null if there is none.
       * @example email
       */
      param: string | null;
    };
    ImportLineErrorList: {
      /** @description The objects of this page. */
      data: components['schemas']['ImportLineError'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
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
    ImportList: {
      /** @description The objects of this page. */
      data: components['schemas']['Import'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
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
    ImportsListQuery: {
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
    /** @enum {string} */
    Interval: 'day' | 'week' | 'month' | 'year';
    Line: {
      /** @description The amount in minor units. */
      amount: number;
      /**
       * @description The kind of line: a period, credited or charged time, or a discount.
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
    /** @description Key/value pairs of your own: at most 50 keys of 40 characters, values of 500. The keys outlive an erasure in the log, so they must not hold personal data; the values are erased. */
    Metadata: {
      [key: string]: string | null;
    };
    MetricDefinition: {
      /** @description What is left out. */
      exclusions: string[];
      /** @description How the value is computed. */
      formula: string;
      /** @description The measures of the metric; empty if there is only one. */
      measures: {
        /** @description How the value is computed. */
        formula: string;
        /** @description The measure, for a metric that has several; otherwise null. */
        measure: string;
        /** @description The unit of the values. */
        unit: components['schemas']['MetricDefinitionUnit'];
      }[];
      /** @description The name of the metric. */
      metric: string;
      /** @description The query parameters that the metric takes. */
      parameters: string[];
      /** @description The unit of the values. */
      unit: components['schemas']['MetricDefinitionUnit'];
      /** @description The number of the version. */
      version: number;
    };
    MetricDefinitionList: {
      /** @description The objects of this page. */
      data: components['schemas']['MetricDefinition'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    /** @enum {string} */
    MetricDefinitionUnit: 'ratio' | 'count' | 'minor_units' | 'seconds';
    MetricSeries: {
      /** @description The id of the cohort; null without one. */
      cohort_id: string | null;
      /**
       * Format: date-time
       * @description When the numbers were computed.
       */
      computed_at: string;
      /** @description The currency of the values; null if they are not amounts. */
      currency: string | null;
      /**
       * Format: date-time
       * @description The beginning of the window, inclusive.
       */
      from: string | null;
      /** @description The length of a bucket. */
      granularity: components['schemas']['Granularity'];
      /** @description The measure, for a metric that has several; otherwise null. */
      measure: string | null;
      /** @description The name of the metric. */
      metric: string;
      /** @description The id of the plan. */
      plan: string | null;
      /** @description One point for each bucket, oldest first. */
      points: {
        /** @description True if the value may still change. */
        maturing: boolean;
        /** @description For `mrr_movements`: losses are negative, and `value` is the sum. */
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
        /** @description True if the bucket is not over, or is cut by the window. */
        partial: boolean;
        /** @description How many items the value is computed from. */
        sample_size: number;
        /**
         * Format: date-time
         * @description When the bucket begins.
         */
        timestamp: string;
        /** @description The value of the bucket. */
        value: number;
      }[];
      /** @description The time zone in which days begin. */
      timezone: string;
      /**
       * Format: date-time
       * @description The end of the window, exclusive.
       */
      to: string | null;
      /** @description The unit of the values. */
      unit: components['schemas']['MetricDefinitionUnit'];
      /** @description The time that the series covers. */
      window: components['schemas']['Window'] | null;
    };
    MetricsGetQuery: {
      /**
       * @description For `churn_rate`.
       * @enum {string}
       */
      by?: 'voluntary' | 'involuntary';
      /** @description Counts only subscribers who are in this cohort now. Not for `delivery_…`. */
      cohort_id?: string;
      /**
       * @description For CSV: `all` adds `maturing` and, for `mrr_movements`, a column for each movement.
       * @default short
       */
      csv_columns?: components['schemas']['CsvColumns'];
      /**
       * @description For amounts. Default: the currency of the tenant.
       * @example USD
       */
      currency?: string;
      /** @description For `delivery_…`. Default: all destinations. */
      destination_id?: string;
      /**
       * Format: date-time
       * @description The beginning of a window of your own, instead of `window`. Whole days are counted: the day of this moment is included.
       */
      from?: string;
      /**
       * @description The length of a bucket.
       * @default day
       */
      granularity?: components['schemas']['Granularity'];
      /** @description Counts subscriptions only while they have this plan. Not for `delivery_…`. */
      plan?: string;
      /**
       * @description The time zone in which days, weeks and months begin. Default: UTC, and always UTC for `delivery_…`.
       * @example Europe/Berlin
       */
      timezone?: string;
      /**
       * Format: date-time
       * @description The end of that window, exclusive. Default: now.
       */
      to?: string;
      /** @description For `ticket_volume`. */
      topic?: components['schemas']['Topic'];
      /**
       * @description The time that the series covers, in whole UTC days and months.
       * @default last_30d
       */
      window?: components['schemas']['Window'];
    };
    MetricsListPlansQuery: {
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
    MetricsListQuery: {
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /** @description Without it, the list is one page. */
      limit?: number;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
    };
    MetricsRecoveryQuery: {
      /** @description Counts only subscribers who are in this cohort now. Not for `delivery_…`. */
      cohort_id?: string;
      /**
       * @description For CSV: `all` adds `maturing` and, for `mrr_movements`, a column for each movement.
       * @default short
       */
      csv_columns?: components['schemas']['CsvColumns'];
      /**
       * @description For amounts. Default: the currency of the tenant.
       * @example USD
       */
      currency?: string;
      /**
       * Format: date-time
       * @description The beginning of a window of your own, instead of `window`. Whole days are counted: the day of this moment is included.
       */
      from?: string;
      /**
       * @description The length of a bucket.
       * @default day
       */
      granularity?: components['schemas']['Granularity'];
      /**
       * @description `rate` and `failed_amount` are counted on the day of the first failure, `amount` and `payments` on the day of the recovery.
       * @default rate
       * @enum {string}
       */
      measure?: 'rate' | 'amount' | 'payments' | 'failed_amount';
      /** @description Counts subscriptions only while they have this plan. Not for `delivery_…`. */
      plan?: string;
      /**
       * @description The time zone in which days, weeks and months begin. Default: UTC, and always UTC for `delivery_…`.
       * @example Europe/Berlin
       */
      timezone?: string;
      /**
       * Format: date-time
       * @description The end of that window, exclusive. Default: now.
       */
      to?: string;
      /**
       * @description The time that the series covers, in whole UTC days and months.
       * @default last_30d
       */
      window?: components['schemas']['Window'];
    };
    MetricsRetentionQuery: {
      /** @description Counts only subscribers who are in this cohort now. */
      cohort_id?: string;
      /**
       * @description How many months, this one included.
       * @default 12
       */
      months?: number;
    };
    /** @description An event as destinations of the privacy mode `minimal` receive it, with ids only. */
    MinimalEvent: {
      /**
       * Format: date-time
       * @description When it happened.
       */
      created_at: string;
      /** @description The id of the event. */
      id: string;
      /** @description The subscriber. */
      subscriber: {
        /** @description Its id. */
        id: string;
      };
      /** @description The subscription; left out by events without one. */
      subscription?: {
        /** @description Its id. */
        id: string;
      };
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
      /** @description The share of subscribers who get no offer, for comparison. */
      holdout_percent: number;
      /** @description The id of the object. */
      id: string;
      /** @description What the motion is for. */
      kind: components['schemas']['MotionKind'];
      /** @description How often the motion may be triggered and accepted. */
      limits: {
        /** @description How many days must lie between two runs for a subscriber. */
        cooldown_days: number;
        /** @description How often a subscriber may accept it. */
        max_redemptions: number;
        /** @description How often it may be triggered for a subscriber; null is no limit. */
        max_triggers_per_subscriber: number | null;
      };
      /** @description A name for people to read. */
      name: string;
      offer: components['schemas']['MotionOffer'];
      /** @description For how many hours an offer can be accepted. */
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
        /** @description Runs of the holdout: no offer was shown. */
        suppressed: number;
        /** @description Runs that were triggered. */
        triggered: number;
      };
      /** @description The state of the object. */
      status: components['schemas']['MotionStatus'];
      /** @description Whether you trigger the motion, or entering one of its cohorts does. */
      trigger_mode: components['schemas']['TriggerMode'];
      /**
       * Format: date-time
       * @description When it was last changed.
       */
      updated_at: string;
    };
    MotionAcceptedData: {
      /** @description Who caused it. */
      actor: components['schemas']['Actor'];
      /** @description Runs whose offer was applied. */
      applied: components['schemas']['AppliedOffer'] | null;
      /** @description The id of the motion; null without one. */
      motion_id: string;
      offer: components['schemas']['MotionOffer'];
      /** @description The result. */
      outcome: components['schemas']['MotionRunStatus'];
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
    /** @enum {string} */
    MotionKind:
      | 'cancel_save'
      | 'payment_recovery'
      | 'win_back'
      | 'trial_conversion'
      | 'upsell'
      | 'announcement';
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
      /** @description How often it may be triggered for a subscriber; null is no limit. */
      max_triggers_per_subscriber?: number | null;
    };
    MotionList: {
      /** @description The objects of this page. */
      data: components['schemas']['Motion'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    /** @description What the subscriber is offered; null is no offer. */
    MotionOffer: components['schemas']['Offer'] | null;
    MotionPerformance: {
      /** @description Accepted ÷ presented; 0 if none was presented. */
      acceptance_rate: number;
      /**
       * Format: date-time
       * @description When the numbers were computed.
       */
      computed_at: string;
      counts: components['schemas']['Counts'];
      /** @description An ISO 4217 code in upper case. */
      currency: string;
      /** @description The length of a bucket. */
      granularity: components['schemas']['Granularity'];
      /** @description Retention of the subscribers who were triggered minus retention of the holdout, both 30 days later as for `save_rate`; null while one of the two groups is empty. */
      lift: number | null;
      /** @description True while an acceptance is less than 30 days old, so `save_rate` may still change. */
      maturing: boolean;
      /** @description The id of the motion; null without one. */
      motion_id: string;
      /** @description Discounts and credits used in that time, also those that reduced a payment to zero. */
      offer_cost: number;
      /** @description One point for each bucket, oldest first. */
      points: {
        /** @description Accepted ÷ presented; 0 if none was presented. */
        acceptance_rate: number;
        counts: components['schemas']['Counts'];
        /** @description True while an acceptance is less than 30 days old, so `save_rate` may still change. */
        maturing: boolean;
        /** @description Discounts and credits used in that time, also those that reduced a payment to zero. */
        offer_cost: number;
        /** @description True if the bucket is not over, or is cut by the window. */
        partial: boolean;
        /** @description Payments that succeeded within attribution_days of an acceptance. */
        retained_revenue: number;
        /** @description The share of the subscribers who accepted that still have a running subscription 30 days later. Until the 30 days are over, the current status counts, and `maturing` is true. */
        save_rate: number;
        /**
         * Format: date-time
         * @description When the bucket begins.
         */
        timestamp: string;
      }[];
      /** @description Payments that succeeded within attribution_days of an acceptance. */
      retained_revenue: number;
      /** @description The share of the subscribers who accepted that still have a running subscription 30 days later. Until the 30 days are over, the current status counts, and `maturing` is true. */
      save_rate: number;
      /** @description The time that the series covers. */
      window: components['schemas']['Window'];
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
      /** @description The result of the accepted offer; null before it was applied. */
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
      /** @description The id of the object. */
      id: string;
      /** @description What the motion is for. */
      kind?: components['schemas']['MotionKind'];
      /** @description The id of the motion; null without one. */
      motion_id: string;
      offer: components['schemas']['MotionOffer'];
      /** @description Whether the offer was given with the trigger instead of taken from the motion. */
      offer_overridden: boolean;
      /**
       * Format: date-time
       * @description When the offer was presented; null before.
       */
      presented_at: string | null;
      /** @description Why it happened. */
      reason?: string | null;
      /** @description `queued`: only in the response to a trigger, which does not tell whether the subscriber is in the holdout; the run itself is `triggered` or `suppressed` at once. `triggered`: the offer is open and has not been reported as shown. `presented`: it was shown and is still open. `accepted`: the subscriber accepted it, and it is being applied. `applied`: it has taken effect. `declined`: the subscriber refused it. `expired`: it ended without an answer. `failed`: it was accepted but could not be applied, and no part of it took effect. `suppressed`: the subscriber is in the holdout and got no offer. */
      status: components['schemas']['MotionRunStatus'];
      /** @description The id of the subscriber. */
      subscriber_id: string;
    };
    MotionRunList: {
      /** @description The objects of this page. */
      data: components['schemas']['MotionRun'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    /** @enum {string} */
    MotionRunStatus:
      | 'queued'
      | 'triggered'
      | 'presented'
      | 'accepted'
      | 'applied'
      | 'declined'
      | 'expired'
      | 'failed'
      | 'suppressed';
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
      /** @description Only those in this status. */
      status?: components['schemas']['MotionStatus'];
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
      /** @description Only those in this status. */
      status?: components['schemas']['MotionRunStatus'];
      /** @description Only those of this subscriber. */
      subscriber_id?: string;
    };
    MotionsPerformanceQuery: {
      /**
       * @description The length of a bucket.
       * @default day
       */
      granularity?: components['schemas']['Granularity'];
      /**
       * @description The time that the series covers, in whole UTC days and months.
       * @default last_30d
       */
      window?: components['schemas']['Window'];
    };
    /** @enum {string} */
    MotionStatus: 'draft' | 'active' | 'paused' | 'archived';
    /** @description The subscriber belongs to the holdout of a motion: no offer is shown, for comparison. */
    MotionSuppressedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: components['schemas']['MotionAcceptedData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'motion.suppressed';
    };
    /** @description A motion was triggered for a subscriber. Show the offer to the subscriber and report what came of it. */
    MotionTriggeredEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description The id of the cohort; null without one. */
        cohort_id: string | null;
        /**
         * Format: date-time
         * @description When it ends; null is never.
         */
        expires_at: string;
        /** @description The kind of the object. */
        kind: components['schemas']['MotionKind'];
        /** @description The id of the motion; null without one. */
        motion_id: string;
        /** @description The name of the motion. */
        motion_name: string;
        offer: components['schemas']['MotionOffer'];
        /** @description Whether the offer was given with the trigger instead of taken from the motion. */
        offer_overridden: boolean;
        /** @description The id of the motion run. */
        run_id: string;
      };
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'motion.triggered';
    };
    Offer:
      | {
          /** @description For how long the discount counts: one period, the periods of some months, or for ever. */
          duration: components['schemas']['Duration'];
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
          /** @description The amount in minor units. */
          amount: number;
          /** @description An ISO 4217 code in upper case. */
          currency: string;
          /** @description For how long the discount counts: one period, the periods of some months, or for ever. */
          duration: components['schemas']['Duration'];
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
          /** @description How unused and new time are settled. */
          proration_behavior: components['schemas']['ProrationBehavior'];
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
          /** @description The amount in minor units. */
          amount: number;
          /** @description An ISO 4217 code in upper case. */
          currency: string;
          /** @description After how many days the credit expires; absent if it never does. */
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
      /**
       * @description An ISO 4217 code in upper case.
       * @example USD
       */
      currency?: string;
      /** @description For `pause` (at most 365) and `trial_extension`. */
      days?: number;
      /** @description For discounts. If several were accepted, only one counts at a time, the one that reduces a period most; the others wait. `once` reduces the next whole period and not the proration of a plan change. Only one discount can last `forever`: the newest. */
      duration?: components['schemas']['Duration'];
      /** @description For `credit`: after how many days it expires. Default: never. */
      expires_in_days?: number;
      /** @description For `redirect`. */
      label?: string;
      /** @description For `repeating`: the discount counts for periods that begin within this many months after the acceptance. If no period does, such as within 3 months for a year that was just paid, the offer is not applicable. */
      months?: number;
      /** @description For `discount_percent`. */
      percent?: number;
      /**
       * @description How unused and new time are settled.
       * @default create_prorations
       */
      proration_behavior?: components['schemas']['ProrationBehavior'];
      /** @description For `plan_switch`: the id of the new plan. */
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
       * @description For `redirect`.
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
          /** @description A number of days. */
          days: unknown;
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
      /** @description The facts of the event. The type decides which fields there are. */
      data: {
        [key: string]: unknown;
      };
      /** @description The id of the object. */
      id: string;
      /** @description The type of the object. */
      type: components['schemas']['OperationalEventType'];
    };
    OperationalEventList: {
      /** @description The objects of this page. */
      data: components['schemas']['OperationalEvent'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
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
      /** @description Only those of this type. */
      type?: components['schemas']['OperationalEventType'];
    };
    /** @enum {string} */
    OperationalEventType:
      'destination.failing' | 'destination.disabled' | 'destination.enabled' | 'replay.completed';
    /** @enum {string} */
    Order: 'asc' | 'desc';
    /** @enum {string} */
    Ordering: 'relaxed' | 'strict';
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
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    PauseBody: {
      /**
       * @description When the pause begins. `immediately` freezes the rest of the period or trial.
       * @default period_end
       * @example period_end
       */
      effective?: components['schemas']['Effective'];
      /**
       * Format: date-time
       * @description When the subscription resumes by itself.
       */
      resumes_at?: string | null;
    };
    Payment: {
      /** @description The amount in minor units. */
      amount: number;
      /** @description The amount in minor units. */
      amount_refunded: number;
      /** @description How many attempts there were, with those by hand and failed probes of a receiver that is down. An attempt of a payment counts when its outcome is known. */
      attempt_count: number;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description The amount in minor units. */
      credit_applied: number;
      /** @description An ISO 4217 code in upper case. */
      currency: string;
      /** @description Why the latest attempt failed; null if none did. */
      failure: components['schemas']['PaymentFailure'] | null;
      /**
       * Format: date-time
       * @description When the subscription lapses if it is still unpaid; null if nothing is open.
       */
      grace_ends_at: string | null;
      /** @description The id of the object. */
      id: string;
      /** @description What the amount is made of. */
      lines: components['schemas']['Line'][];
      /**
       * Format: date-time
       * @description When the next attempt is planned; null if none is. It lies in the past while the receiver is down and only probed.
       */
      next_attempt_at: string | null;
      /** @description The payment method; null if there is none. */
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
      /** @description The recovery of a recurring payment whose first attempt failed; null if none failed. */
      recovery: {
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
         * @description The result.
         * @enum {string}
         */
        outcome: 'open' | 'recovered' | 'lost_passive' | 'lost_active';
        /**
         * Format: date-time
         * @description When the payment succeeded after all; null before.
         */
        recovered_at: string | null;
        /** @description The source. */
        source: components['schemas']['PaymentSource'] | null;
      } | null;
      /** @description The state of the object. */
      status: components['schemas']['PaymentStatus'];
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
      /** @description The amount in minor units. */
      amount: number;
      /** @description The number of the attempt, from 1. */
      attempt: number;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description An ISO 4217 code in upper case. */
      currency: string;
      /** @description Why the latest attempt failed; null if none did. */
      failure: components['schemas']['PaymentFailure'] | null;
      /** @description The id of the object. */
      id: string;
      /**
       * @description The result.
       * @enum {string}
       */
      outcome: 'pending' | 'succeeded' | 'failed';
      /** @description The id of the payment; null without one. */
      payment_id: string;
      /** @description The payment method; null if there is none. */
      payment_method: components['schemas']['PaymentMethod'] | null;
      /** @description The reference of your payment provider; null without one. */
      provider_ref: string | null;
    };
    PaymentAttemptList: {
      /** @description The objects of this page. */
      data: components['schemas']['PaymentAttempt'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    /** @description A payment was disputed, or a dispute was won or lost. */
    PaymentDisputedEvent: components['schemas']['EventFields'] & {
      /**
       * @description What happened.
       * @example {
       *       "payment_id": "pay_0k3v9c2m8x7q1z5n3d8f6g1k",
       *       "amount": 2000,
       *       "currency": "USD",
       *       "dispute_status": "open",
       *       "actor": "api"
       *     }
       */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description The amount in minor units. */
        amount: number;
        /** @description An ISO 4217 code in upper case. */
        currency: string;
        /** @description The state of the dispute. `won` and `lost` are final. */
        dispute_status: components['schemas']['DisputeStatus'];
        /** @description The id of the payment; null without one. */
        payment_id: string;
      };
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'payment.disputed';
    };
    /** @description An amount must be collected by your own payment provider. Report the outcome with `POST /v1/payments/{paymentId}/attempts`. */
    PaymentDueEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /**
         * Format: date-time
         * @description When the payment became due.
         */
        due_at: string;
        /**
         * Format: date-time
         * @description When the subscription lapses if it is still unpaid; null if nothing is open.
         */
        grace_ends_at: string;
        /** @description The payment as it is after the event. */
        payment: components['schemas']['Payment'];
      };
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'payment.due';
    };
    /** @description An attempt to collect a payment failed. `next_attempt_at` says when it is tried again. */
    PaymentFailedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description The number of the attempt, from 1. */
        attempt: number;
        /** @description Why the latest attempt failed; null if none did. */
        failure: components['schemas']['PaymentFailure'];
        /** @description True if this attempt ended the payment, which is the case exactly if `payment.status` is `failed`. It is false during the grace period of a renewal, even for the last planned attempt (`next_attempt_at` is null), because a new payment method can still pay until `payment.grace_ends_at`. If nobody pays, the payment fails with `subscription.lapsed`, which contains it. */
        final: boolean;
        /**
         * Format: date-time
         * @description When the next attempt is made; null if none is planned.
         */
        next_attempt_at: string | null;
        /** @description The payment as it is after the event. */
        payment: components['schemas']['Payment'];
      };
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'payment.failed';
    };
    PaymentFailure: {
      /** @description The code of the error. Programs decide by it. */
      code: string;
      /** @description `soft` may succeed later; `hard` needs another payment method. */
      decline_type: components['schemas']['DeclineType'];
      /** @description What went wrong, as a text for people. It may change. */
      message?: string | null;
    };
    PaymentList: {
      /** @description The objects of this page. */
      data: components['schemas']['Payment'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    PaymentMethod: {
      /** @description The brand of the card, such as `visa`; null if unknown. */
      brand: string | null;
      /** @description The month in which the card expires; null if unknown. */
      exp_month: number | null;
      /** @description The year in which the card expires; null if unknown. */
      exp_year: number | null;
      /** @description The last four characters; null if unknown. */
      last4: string | null;
      /** @description The type of the method, such as `card`. */
      type: string;
    };
    PaymentMethodBody: {
      /**
       * @description In test environments one of the `pm_test_…` methods; in live environments the reference of your payment provider.
       * @example pm_test_ok
       */
      payment_method: string;
    };
    PaymentMethodExpiringData: {
      /** @description Who caused it. */
      actor: components['schemas']['Actor'];
      /** @description The payment method; null if there is none. */
      payment_method: components['schemas']['PaymentMethod'];
    };
    /** @description The card of a subscription expires within 30 days. */
    PaymentMethodExpiringEvent: components['schemas']['EventFields'] & {
      /**
       * @description What happened.
       * @example {
       *       "payment_method": {
       *         "type": "card",
       *         "brand": "visa",
       *         "last4": "4242",
       *         "exp_month": 12,
       *         "exp_year": 2034
       *       },
       *       "actor": "api"
       *     }
       */
      data: components['schemas']['PaymentMethodExpiringData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'payment.method_expiring';
    };
    /** @description The payment method of a subscription was replaced. */
    PaymentMethodUpdatedEvent: components['schemas']['EventFields'] & {
      /**
       * @description What happened.
       * @example {
       *       "payment_method": {
       *         "type": "card",
       *         "brand": "visa",
       *         "last4": "4242",
       *         "exp_month": 12,
       *         "exp_year": 2034
       *       },
       *       "actor": "api"
       *     }
       */
      data: components['schemas']['PaymentMethodExpiringData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'payment.method_updated';
    };
    /** @description A recurring payment that had failed was paid after all. The event comes after `payment.succeeded`. */
    PaymentRecoveredEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description The amount in minor units. */
        amount: number;
        /** @description How many attempts there were. */
        attempts: number;
        /** @description An ISO 4217 code in upper case. */
        currency: string;
        /**
         * Format: date-time
         * @description When the first attempt failed.
         */
        first_failed_at: string;
        /** @description The id of the motion; null without one. */
        motion_id: string | null;
        /** @description The id of the payment; null without one. */
        payment_id: string;
        /** @description The source. */
        source: components['schemas']['PaymentSource'];
      };
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'payment.recovered';
    };
    /** @description A recurring payment that had failed will not be paid: the subscription lapsed or was cancelled. */
    PaymentRecoveryLostEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description The amount in minor units. */
        amount: number;
        /** @description How many attempts there were. */
        attempts: number;
        /** @description An ISO 4217 code in upper case. */
        currency: string;
        /**
         * Format: date-time
         * @description When the first attempt failed.
         */
        first_failed_at: string;
        /**
         * @description The result.
         * @enum {string}
         */
        outcome: 'lost_passive' | 'lost_active';
        /** @description The id of the payment; null without one. */
        payment_id: string;
      };
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
      /** @description Who caused it. */
      actor: components['schemas']['Actor'];
      /** @description The amount in minor units. */
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
    /** @description A refund must be paid out by your own payment provider. Report the outcome with `POST /v1/refunds/{refundId}/outcome`. */
    PaymentRefundRequestedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description The refund as it is after the event. */
        refund: components['schemas']['Refund'];
      };
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
      /** @description Only those in this status. */
      status?: components['schemas']['PaymentStatus'];
      /** @description Only those of this subscriber. */
      subscriber_id?: string;
      /** @description Only those of this subscription. */
      subscription_id?: string;
    };
    /** @enum {string} */
    PaymentSource: 'retry' | 'method_update' | 'motion' | 'manual';
    /** @enum {string} */
    PaymentState: 'ok' | 'past_due';
    /** @enum {string} */
    PaymentStatus: 'pending' | 'succeeded' | 'failed' | 'cancelled';
    /** @description A payment succeeded, at the first or a later attempt. */
    PaymentSucceededEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description Whether it is the first payment of the subscriber that succeeded. */
        first_payment: boolean;
        /** @description The payment as it is after the event. */
        payment: components['schemas']['Payment'];
      };
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'payment.succeeded';
    };
    /**
     * @description Which personal data is sent. `full`: all. `hashed_only`: no e-mail address (only its hash), no names and no free text. `minimal`: only ids, the type and the time.
     * @enum {string}
     */
    PiiMode: 'full' | 'hashed_only' | 'minimal';
    Plan: {
      /** @description The amount in minor units. */
      amount: number;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description An ISO 4217 code in upper case. */
      currency: string;
      /** @description Your own id of the object, unique in its environment; null if you gave none. It is no personal field and is shown without `pii:read`, so it must not hold an e-mail address or a name. */
      external_id: string | null;
      /** @description The id of the object. */
      id: string;
      /** @description The unit in which the length of a period is given. */
      interval: components['schemas']['Interval'];
      /** @description How many intervals a period has: 3 with `month` is a quarter. */
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
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    PlanPreview: {
      /** @description When the lines are charged or credited; `none` if there are no lines. */
      applied: components['schemas']['PlanPreviewApplied'];
      /** @description An ISO 4217 code in upper case. */
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
      /** @description Whether the new plan costs more per month than the old one, less, or the same. */
      direction: components['schemas']['PlanPreviewDirection'];
      /** @description The plan before the change. */
      from_plan: string;
      /** @description What the amount is made of. */
      lines: components['schemas']['Line'][];
      /** @description The amount in minor units. */
      net: number;
      /** @description How unused and new time are settled. */
      proration_behavior: components['schemas']['ProrationBehavior'];
      /**
       * Format: date-time
       * @description The moment from which time is prorated.
       */
      proration_date: string;
      /** @description The plan after the change. */
      to_plan: string;
    };
    /** @enum {string} */
    PlanPreviewApplied: 'next_renewal' | 'immediately' | 'none';
    /** @enum {string} */
    PlanPreviewDirection: 'upgrade' | 'downgrade' | 'lateral';
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
      pii_mode?: components['schemas']['PiiMode'];
      /** @description The version of the catalogue that the event is written in. */
      schema_version?: string;
    };
    PreviewCohortBody: {
      /**
       * @description All fields must match; `{}` is everyone.
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
    /** @description The values before the change, of the fields that changed. */
    Previous: {
      /** @description The state of the object. */
      status: components['schemas']['SubscriptionStatus'];
    };
    /** @enum {string} */
    Priority: 'normal' | 'high';
    /** @enum {string} */
    ProrationBehavior: 'create_prorations' | 'none' | 'always_invoice';
    ProviderOutcomeBody: {
      /** @description Why the latest attempt failed; null if none did. */
      failure?: {
        /**
         * @description The code of the error. Programs decide by it.
         * @example insufficient_funds
         */
        code: string;
        /**
         * @description With `hard` the method will never work again, so it is not tried again.
         * @default soft
         */
        decline_type?: components['schemas']['DeclineType'];
        /** @description What went wrong, as a text for people. It may change. */
        message?: string;
      };
      /**
       * Format: date-time
       * @description When it happened; not in the future, and not more than a day before the object was created. Default: now.
       */
      occurred_at?: string;
      /**
       * @description The result.
       * @enum {string}
       */
      outcome: 'succeeded' | 'failed';
      /** @description The reference of your payment provider, one for each attempt. The same outcome again under it changes nothing; another outcome is refused. */
      provider_ref?: string;
    };
    /**
     * @description Why it happened.
     * @enum {string}
     */
    Reason:
      | 'cancellation_requested'
      | 'payment_failed'
      | 'payment_disputed'
      | 'trial_ended_without_payment'
      | 'plan_expired'
      | 'merchant';
    Refund: {
      /** @description The amount in minor units. */
      amount: number;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description The id of the credit; null without one. */
      credit_id: string | null;
      /** @description An ISO 4217 code in upper case. */
      currency: string;
      /** @description Where the money goes: back to the payment method, or to a credit. */
      destination: components['schemas']['RefundDestination'];
      /** @description Why the latest attempt failed; null if none did. */
      failure: components['schemas']['PaymentFailure'] | null;
      /** @description The id of the object. */
      id: string;
      /** @description A note for your team. Personal: shown with the scope `pii:read` only. */
      note?: string | null;
      /** @description The id of the payment; null without one. */
      payment_id: string;
      /** @description The reference of your payment provider; null without one. */
      provider_ref: string | null;
      /** @description Why it happened. */
      reason: components['schemas']['RefundReason'];
      /** @description The state of the object. */
      status: components['schemas']['PaymentStatus'];
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
    /** @enum {string} */
    RefundDestination: 'original' | 'credit';
    RefundList: {
      /** @description The objects of this page. */
      data: components['schemas']['Refund'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    /** @enum {string} */
    RefundReason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | 'other';
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
      /** @description Only those in this status. */
      status?: components['schemas']['PaymentStatus'];
      /** @description Only those of this subscriber. */
      subscriber_id?: string;
    };
    RegisterDestinationBody: {
      /** @description A text for your own use. */
      description?: string | null;
      /**
       * Format: email
       * @description The address to which e-mails are sent. Required for `email_fallback`, and only for it.
       */
      email?: string;
      /**
       * @description Types, families such as `payment.*`, or `*`. Default: every type. An e-mail destination takes `ticket.submitted` only.
       * @example [
       *       "payment.*",
       *       "ticket.submitted"
       *     ]
       */
      event_types?: string[] | null;
      /**
       * @description How many deliveries may be in progress at a time.
       * @default 50
       */
      max_in_flight?: number;
      /**
       * @description How long a failing delivery delays newer events of its subscriber: 5 minutes, or (`strict`) until it succeeds or is given up.
       * @default relaxed
       */
      ordering?: components['schemas']['Ordering'];
      /**
       * @description Which personal data is sent. `full`: all. `hashed_only`: no e-mail address (only its hash), no names and no free text. `minimal`: only ids, the type and the time.
       * @default full
       */
      pii_mode?: components['schemas']['PiiMode'];
      /** @description How many deliveries may begin in a second; null is no limit. */
      rate_limit_per_second?: number | null;
      /**
       * @description For `email_fallback`: whether Reply-To is the address of the subscriber.
       * @default false
       */
      reply_to_subscriber?: boolean;
      /** @description The version of the catalogue in which events are sent. Default: the newest. */
      schema_version?: string | null;
      /** @description For `email_fallback`: the subject, a text with placeholders such as `[{{data.topic}}] {{data.subject}}`. */
      subject_template?: string | null;
      /**
       * @description With `off` webhooks have no header `traceparent`. The delivery log still shows the trace id.
       * @default on
       */
      trace_headers?: components['schemas']['TraceHeaders'];
      /** @description The type of the object. */
      type: components['schemas']['DestinationType'];
      /**
       * Format: uri
       * @description Where events are POSTed: an `https://` URL at a public address. Required for `https_webhook`, and only for it. White space and control characters must be encoded.
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
          /** @description Types of events, or families such as `payment.*`; null is every type. */
          event_types?: unknown;
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
       * @description When it was deleted; null if it is not.
       */
      deleted_at: string | null;
      /** @description A text for your own use. */
      description: string | null;
      /**
       * Format: date-time
       * @description When it was disabled; null if it is not.
       */
      disabled_at: string | null;
      /** @description Why it is disabled; null if it is not. */
      disabled_reason: components['schemas']['DisabledReason'] | null;
      /** @description Where e-mails are sent. Absent for webhook destinations. */
      email?: string;
      environment: components['schemas']['Environment'];
      /** @description Types of events, or families such as `payment.*`; null is every type. */
      event_types: string[] | null;
      /** @description The id of the object. */
      id: string;
      /** @description How many deliveries may be in progress at a time. */
      max_in_flight: number;
      /** @description How long a failing delivery delays newer events of its subscriber: 5 minutes, or (`strict`) until it succeeds or is given up. */
      ordering: components['schemas']['Ordering'];
      pii_mode: components['schemas']['PiiMode'];
      /**
       * Format: date-time
       * @description Until when the old secret is valid as well; null without one.
       */
      previous_secret_expires_at: string | null;
      /** @description How many deliveries may begin in a second; null is no limit. */
      rate_limit_per_second: number | null;
      /**
       * Format: date-time
       * @description Until when it can be restored; null if it is not deleted.
       */
      recoverable_until: string | null;
      /** @description Whether a reply goes to the subscriber. */
      reply_to_subscriber?: boolean;
      /** @description The version of the catalogue that the event is written in. */
      schema_version: string;
      /** @description The secret that deliveries are signed with. It is shown this once. */
      signing_secret?: string;
      /** @description The state of the object. */
      status: components['schemas']['DestinationStatus'];
      /** @description The template of the subject; null is the default. */
      subject_template?: string | null;
      /** @description Whether deliveries carry the trace of the request in `traceparent`: `on`, or `off`. */
      trace_headers: components['schemas']['TraceHeaders'];
      /** @description The type of the object. */
      type: components['schemas']['DestinationType'];
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
      /** @description Whether events that the destination has already answered with a 2xx are sent again. */
      dedupe_strategy: components['schemas']['DedupeStrategy'];
      /** @description The id of the destination. */
      destination_id: string;
      /**
       * Format: date-time
       * @description The end of the window, or the time when the replay was accepted if that was earlier.
       */
      effective_to: string;
      /**
       * Format: date-time
       * @description When the replay will probably end. While nothing succeeds, it is the time of the last attempts.
       */
      estimated_completion_at: string;
      /** @description How many events will be sent, as counted when the replay was accepted. */
      estimated_event_count: number;
      /** @description Types of events, or families such as `payment.*`; null is every type. */
      event_types: string[] | null;
      /** @description How many events were delivered. */
      events_delivered: number;
      /** @description How many events used up their attempts. */
      events_failed: number;
      /** @description How many events the replay selects, as counted when it was accepted. At the end, events that have expired meanwhile are not counted. */
      events_matched: number;
      /** @description How many events are still to be sent. */
      events_pending: number;
      /** @description How many events were skipped because the destination has them already. */
      events_skipped: number;
      /** @description Why the job failed; null if it did not. */
      failure_reason: string | null;
      /**
       * Format: date-time
       * @description When the job ended; null before.
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
       * @description When the job began; null while it is queued.
       */
      started_at: string | null;
      /** @description The state of the object. */
      status: components['schemas']['ReplayStatus'];
      /** @description Only events of these subscribers; null is all. */
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
       * @description Always true. Nothing was sent.
       * @constant
       */
      dry_run: true;
      /**
       * Format: date-time
       * @description The end of the window, or the time when the replay was accepted if that was earlier.
       */
      effective_to: string;
      /** @description How many events will be sent, as counted when the replay was accepted. */
      estimated_event_count: number;
      /** @description How many events the window and the filters select. */
      events_matched: number;
      /** @description How many events were skipped because the destination has them already. */
      events_skipped: number;
      /** @description The first event that would be sent; null if none would. */
      first_event: {
        /**
         * Format: date-time
         * @description When it was created.
         */
        created_at: string;
        /** @description The id of the object. */
        id: string;
      } | null;
      /**
       * Format: date-time
       * @description The beginning of the window, inclusive.
       */
      from: string;
      /** @description The last event that would be sent; null if none would. */
      last_event: {
        /**
         * Format: date-time
         * @description When it was created.
         */
        created_at: string;
        /** @description The id of the object. */
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
      /** @description Why the latest attempt failed; null if it did not. */
      last_error: string | null;
      /** @description The HTTP status of the latest response; null if none came. */
      last_status_code: number | null;
    };
    ReplayFailureList: {
      /** @description The objects of this page. */
      data: components['schemas']['ReplayFailure'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    ReplayList: {
      /** @description The objects of this page. */
      data: components['schemas']['Replay'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
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
      /** @description Only those in this status. */
      status?: components['schemas']['ReplayStatus'];
    };
    /** @enum {string} */
    ReplayStatus:
      'queued' | 'in_progress' | 'completed' | 'completed_with_errors' | 'cancelled' | 'failed';
    RequestReplayBody: {
      /** @description Only subscribers who are members of these cohorts when the replay is accepted, and those in `subscriber_ids`. */
      cohort_ids?: string[];
      /**
       * @description `skip_existing` leaves out events the destination has already answered with a 2xx, as far as the delivery log knows (30 days; older events are sent); `force_redeliver` sends all.
       * @default skip_existing
       */
      dedupe_strategy?: components['schemas']['DedupeStrategy'];
      /**
       * @description The destination to send to. Required without `retry_of`.
       * @example dest_0k3v9c2m8x7q1z5n
       */
      destination_id?: string;
      /**
       * @description Only counts the events; nothing is sent.
       * @default false
       */
      dry_run?: boolean;
      /**
       * @description Types, families such as `payment.*`, or `*`. Default: all types.
       * @example [
       *       "payment.*",
       *       "ticket.submitted"
       *     ]
       */
      event_types?: string[];
      /**
       * Format: date-time
       * @description The beginning of the window of `created_at`, inclusive; within the last 24 months. Required without `retry_of`.
       * @example 2026-02-01T00:00:00.000Z
       */
      from?: string;
      /** @description Events per second at most. Without it as fast as the destination's limits allow, behind live deliveries. */
      rate_per_second?: number;
      /** @description The id of a replay that has ended: only its failed events are sent again. */
      retry_of?: string;
      /** @description Only these subscribers, and the members of `cohort_ids`. */
      subscriber_ids?: string[];
      /**
       * Format: date-time
       * @description The end of the window, exclusive; after `from`. Required without `retry_of`.
       * @example 2026-03-01T00:00:00.000Z
       */
      to?: string;
    } & (
      | unknown
      | {
          /**
           * @description Whether events that the destination has already answered with a 2xx are sent again.
           * @constant
           */
          dedupe_strategy?: 'force_redeliver';
        }
    );
    ResolveTicketBody: {
      /**
       * @description How it was resolved. Personal: shown with the scope `pii:read` only.
       * @example Refunded the second charge.
       */
      resolution_note?: string | null;
    };
    ResumeBody: {
      /**
       * @description Whether the frozen time continues, or (`new_period`) is credited while a whole new period is charged now. While the payment of the paused period is open, `new_period` is refused with `payment_past_due`.
       * @default continue
       * @example continue
       */
      billing?: components['schemas']['Billing'];
    };
    Retention: {
      /**
       * Format: date-time
       * @description When the numbers were computed.
       */
      computed_at: string;
      /** @description The objects of this page. */
      data: {
        /** @description How many of them had a subscription at the end of this and each later month. */
        kept: number[];
        /** @description Calendar month in UTC, such as `2026-01`. */
        month: string;
        /** @description How many were first active in this month. */
        subscribers: number;
      }[];
    };
    RotatedSecret: {
      /** @description The id of the object. */
      id: string;
      /**
       * Format: date-time
       * @description Until when the old secret is valid as well; null without one.
       */
      previous_secret_expires_at: string;
      /** @description The secret that deliveries are signed with. It is shown this once. */
      signing_secret: string;
    };
    RotateSecretBody: {
      /**
       * @description For how many hours the old secret is valid as well. 0 ends it at once, which is right for a secret that has leaked.
       * @default 24
       * @example 24
       */
      overlap_hours?: number;
    };
    RunOutcomeBody: {
      /**
       * @description The result.
       * @example accepted
       * @enum {string}
       */
      outcome: 'presented' | 'accepted' | 'declined';
      /** @description Why it happened. */
      reason?: string | null;
    };
    SavePlanBody: {
      /**
       * @description The price of one period in minor units.
       * @example 2000
       */
      amount: number;
      /**
       * @description An ISO 4217 code in upper case.
       * @example USD
       */
      currency: string;
      /** @description Your own id, unique in the environment. */
      external_id?: string | null;
      /**
       * @description The unit in which the length of a period is given.
       * @example month
       */
      interval: components['schemas']['Interval'];
      /**
       * @description How many intervals a period has: 3 with `month` is a quarter.
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
      /** @description The name of the scenario. */
      scenario: components['schemas']['ScenarioScenario'];
      /** @description The id of the subscriber. */
      subscriber_id: string;
    };
    /** @enum {string} */
    ScenarioScenario: 'trial_convert' | 'dunning_recovered' | 'dunning_lost' | 'cancel_save';
    SchemaVersion: {
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status: 'current' | 'supported' | 'deprecated';
      /**
       * Format: date-time
       * @description When the version stops working; null if no end is planned.
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
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
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
      /** @description The id of the object. */
      id: string;
      /** @description The subscriber that the object belongs to; null without one. */
      subscriber_id: string | null;
      /** @description A name of the object for people; its id where it has none. */
      title: string;
      /** @description The kind of the object, such as `subscriber` or `event`. */
      type: string;
    };
    SearchResults: {
      /** @description The objects that were found. */
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
      /** @description The id of the closed ticket of the same subscriber that this ticket continues. */
      follow_up_of?: string | null;
      /** @description Key/value pairs of your own: at most 50 keys of 40 characters, values of 500. The keys outlive an erasure in the log, so they must not hold personal data; the values are erased. */
      metadata?: {
        [key: string]: string;
      };
      /**
       * @description The priority.
       * @default normal
       */
      priority?: components['schemas']['Priority'];
      /**
       * @description The channel through which the subscriber wrote.
       * @default help_center
       */
      source?: components['schemas']['TicketSource'];
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
      topic: components['schemas']['Topic'];
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
       * @description When the personal data was erased; null if it was not.
       */
      erased_at: string | null;
      /** @description Your own id of the object, unique in its environment; null if you gave none. It is no personal field and is shown without `pii:read`, so it must not hold an e-mail address or a name. */
      external_id: string | null;
      /** @description The id of the object. */
      id: string;
      /**
       * Format: date-time
       * @description When the latest payment succeeded; null before the first.
       */
      last_payment_at: string | null;
      metadata: components['schemas']['Metadata'];
      /** @description The currency of the latest payment; null before the first. */
      paid_currency: string | null;
      /** @description The primary subscription: an active one before trialing, paused, lapsed and cancelled ones, then the newest. Null without one. */
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
        /** @description The id of the object. */
        id: string;
        /** @description `past_due` while a payment of the subscription is retried, otherwise `ok`. */
        payment_state: components['schemas']['PaymentState'];
        /** @description The id of the plan. */
        plan: string;
        /** @description The state of the object. */
        status: string;
      } | null;
      /** @description Short labels of your own. They outlive an erasure in the log, so they must not hold personal data. */
      tags: string[];
      /** @description All payments minus refunds of money, in minor units of `paid_currency`. A refund as credit is not subtracted, because the money stays with you. */
      total_paid: number;
      /** @description All payments minus refunds, for each currency in its minor units. */
      totals_by_currency: {
        [key: string]: number;
      };
    };
    /** @description A subscriber was registered. */
    SubscriberCreatedEvent: components['schemas']['EventFields'] & {
      /**
       * @description What happened.
       * @example {
       *       "email": null,
       *       "external_id": null,
       *       "tags": [
       *         "annual",
       *         "newsletter"
       *       ],
       *       "metadata": {},
       *       "test_clock": null,
       *       "actor": "api"
       *     }
       */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description The e-mail address. */
        email?: string | null;
        /** @description Your own id of the object, unique in its environment; null if you gave none. It is no personal field and is shown without `pii:read`, so it must not hold an e-mail address or a name. */
        external_id: string | null;
        metadata: components['schemas']['Metadata'];
        /** @description Short labels of your own. They outlive an erasure in the log, so they must not hold personal data. */
        tags: string[];
        /** @description The id of the test clock of the subscriber. */
        test_clock: string | null;
      };
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscriber.created';
    };
    /** @description The personal data of a subscriber was erased. Past events of the subscriber are shown without it from now on; erase your own copy. */
    SubscriberErasedEvent: components['schemas']['EventFields'] & {
      /**
       * @description What happened.
       * @example {
       *       "erased_at": "2026-03-10T12:00:00.000Z",
       *       "actor": "api"
       *     }
       */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /**
         * Format: date-time
         * @description When the personal data was erased; null if it was not.
         */
        erased_at: string;
      };
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
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
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
      /** @description Only members of this cohort. */
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
       * @description Only subscribers with this e-mail address; upper and lower case are the same. Needs `pii:read`.
       * @example ada@example.com
       */
      email?: string;
      /** @description The page immediately before this cursor. Not together with `starting_after`. */
      ending_before?: string;
      /** @description Your own id of the subscriber. */
      external_id?: string;
      /** @description Only these subscribers: up to 100 ids, comma-separated. */
      ids?: string[];
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Only subscribers who have a subscription in this payment state. The metric `past_due` counts those who are `past_due`. */
      payment_state?: components['schemas']['PaymentState'];
      /** @description Only subscribers whose primary subscription has this plan. */
      plan?: string;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /** @description Only subscribers whose primary subscription has this status. */
      status?: components['schemas']['SubscriptionStatus'];
      /** @description Only subscribers with this tag. */
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
       */
      order?: components['schemas']['Order'];
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
    };
    /** @description The e-mail address, tags, metadata or engagement score of a subscriber changed. `previous` has the old values of what changed. */
    SubscriberUpdatedEvent: components['schemas']['EventFields'] & {
      /**
       * @description What happened.
       * @example {
       *       "previous": {
       *         "tags": [
       *           "pro"
       *         ]
       *       },
       *       "actor": "api",
       *       "tags": [
       *         "pro",
       *         "updated"
       *       ]
       *     }
       */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description The e-mail address. */
        email?: string | null;
        /** @description Your own score from 0 to 100; null until you set it. */
        engagement_score?: number;
        metadata?: components['schemas']['Metadata'];
        /**
         * Format: date-time
         * @description When you observed the score.
         */
        observed_at?: string;
        /** @description The values before the change, of the fields that changed. */
        previous: {
          /** @description The e-mail address. */
          email?: string | null;
          /** @description Your own score from 0 to 100; null until you set it. */
          engagement_score?: number | null;
          metadata?: components['schemas']['Metadata'];
          /** @description Short labels of your own. They outlive an erasure in the log, so they must not hold personal data. */
          tags?: string[];
        };
        /** @description Short labels of your own. They outlive an erasure in the log, so they must not hold personal data. */
        tags?: string[];
      };
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscriber.updated';
    };
    Subscription: {
      /**
       * Format: date-time
       * @description When a scheduled cancellation takes effect; null if none is scheduled.
       */
      cancel_at: string | null;
      /** @description Whether a cancellation is scheduled for the end of the period. */
      cancel_at_period_end: boolean;
      /** @description Why the subscription was or will be cancelled; null if it is not cancelled. */
      cancellation: {
        /** @description What the subscriber said. Personal: shown with the scope `pii:read` only. */
        comment?: string | null;
        feedback: components['schemas']['Feedback'];
        reason: components['schemas']['Reason'];
      } | null;
      /**
       * Format: date-time
       * @description When it was cancelled; null if it was not.
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
      /** @description Your own id of the object, unique in its environment; null if you gave none. It is no personal field and is shown without `pii:read`, so it must not hold an e-mail address or a name. */
      external_id: string | null;
      /**
       * Format: date-time
       * @description When the subscription lapses if it is still unpaid; null if nothing is open.
       */
      grace_ends_at: string | null;
      /** @description The id of the object. */
      id: string;
      /**
       * Format: date-time
       * @description When it lapsed; null if it did not.
       */
      lapsed_at: string | null;
      /**
       * Format: date-time
       * @description When the open payment is tried again; null if no try is planned.
       */
      next_payment_attempt_at: string | null;
      /**
       * Format: date-time
       * @description When the payment failed for the first time; null while `payment_state` is `ok`.
       */
      past_due_since: string | null;
      /**
       * Format: date-time
       * @description When it was paused; null if it is not.
       */
      paused_at: string | null;
      /**
       * Format: date-time
       * @description When a scheduled pause takes effect; null if none is scheduled.
       */
      pauses_at: string | null;
      /** @description `past_due` while a payment of the subscription is retried, otherwise `ok`. */
      payment_state: components['schemas']['PaymentState'];
      /** @description The plan from the next period on; null if it stays. */
      pending_plan: string | null;
      /** @description The id of the plan. */
      plan: string;
      /**
       * Format: date-time
       * @description When a pause ends by itself; null if it does not.
       */
      resumes_at: string | null;
      /** @description The state of the object. */
      status: components['schemas']['SubscriptionStatus'];
      /** @description The id of the subscriber. */
      subscriber_id: string;
      /**
       * Format: date-time
       * @description When the trial ends; null without one.
       */
      trial_end: string | null;
    };
    /** @description A subscription became active for the first time: its first charge succeeded, or its trial was converted. Give access now. */
    SubscriptionActivatedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description What the amount is made of. */
        lines?: components['schemas']['Line'][];
        /** @description The id of the payment; null without one. */
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
          /** @description The state of the object. */
          status?: components['schemas']['SubscriptionStatus'];
        };
        /**
         * @description Why it happened.
         * @enum {string}
         */
        reason: 'new' | 'trial_converted';
      };
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.activated';
    };
    SubscriptionCancellationScheduledData: {
      /** @description Who caused it. */
      actor: components['schemas']['Actor'];
      /**
       * Format: date-time
       * @description When a scheduled cancellation takes effect; null if none is scheduled.
       */
      cancel_at: string;
      /** @description What the subscriber said. Personal: shown with the scope `pii:read` only. */
      comment?: string | null;
      feedback: components['schemas']['Feedback'];
      reason: components['schemas']['Reason'];
    };
    /** @description A cancellation was scheduled for the end of the period. Access stays until then. */
    SubscriptionCancellationScheduledEvent: components['schemas']['EventFields'] & {
      /**
       * @description What happened.
       * @example {
       *       "cancel_at": "2026-04-10T12:00:00.000Z",
       *       "reason": "cancellation_requested",
       *       "feedback": null,
       *       "comment": null,
       *       "actor": "api"
       *     }
       */
      data: components['schemas']['SubscriptionCancellationScheduledData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.cancellation_scheduled';
    };
    /** @description A scheduled cancellation was undone. */
    SubscriptionCancellationUnscheduledEvent: components['schemas']['EventFields'] & {
      /**
       * @description What happened.
       * @example {
       *       "cancel_at": "2026-04-10T12:00:00.000Z",
       *       "reason": "cancellation_requested",
       *       "feedback": null,
       *       "comment": null,
       *       "actor": "api"
       *     }
       */
      data: components['schemas']['SubscriptionCancellationScheduledData'];
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.cancellation_unscheduled';
    };
    /** @description A subscription ended on purpose. Take access away. */
    SubscriptionCancelledEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description What the subscriber said. Personal: shown with the scope `pii:read` only. */
        comment?: string | null;
        /** @description Credits that were reserved for open payments and can be used again. */
        credits_reinstated?: {
          /** @description The amount in minor units. */
          amount: number;
          /** @description The id of the credit; null without one. */
          credit_id: string;
          /** @description The amount in minor units. */
          remaining: number;
        }[];
        /** @description An ISO 4217 code in upper case. */
        currency: string;
        feedback: components['schemas']['Feedback'];
        /** @description The amount in minor units. */
        mrr_lost: number;
        previous: components['schemas']['Previous'];
        reason: components['schemas']['Reason'];
        /** @description Whether the subscriber or you ended the subscription on purpose. */
        voluntary: boolean;
      };
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.cancelled';
    };
    /** @description A discount was applied to a subscription, by an offer. */
    SubscriptionDiscountAppliedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description The discount. */
        discount: {
          /** @description The amount in minor units. */
          amount: number | null;
          /** @description An ISO 4217 code in upper case. */
          currency: string | null;
          /** @description For how long the discount counts: one period, the periods of some months, or for ever. */
          duration: components['schemas']['Duration'];
          /**
           * Format: date-time
           * @description Periods that begin after this time are not reduced; null without an end.
           */
          ends_at: string | null;
          /** @description How many percent are taken off. */
          percent: number | null;
        };
        /** @description The id of the motion run that caused it; null without one. */
        motion_run_id: string | null;
        /** @description Why it happened. */
        reason: string;
      };
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.discount_applied';
    };
    /** @description A subscription ended because it was not paid, or because its trial ended without a payment method. Take access away. */
    SubscriptionLapsedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description How many attempts there were. */
        attempts: number;
        /** @description Credits that were reserved for open payments and can be used again. */
        credits_reinstated?: {
          /** @description The amount in minor units. */
          amount: number;
          /** @description The id of the credit; null without one. */
          credit_id: string;
          /** @description The amount in minor units. */
          remaining: number;
        }[];
        /** @description The id of the payment; null without one. */
        payment_id: string | null;
        previous: components['schemas']['Previous'];
        reason: components['schemas']['Reason'];
        /** @description Whether the subscriber or you ended the subscription on purpose. */
        voluntary: boolean;
      };
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
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    /** @description A payment of a subscription failed for the first time. It is retried; access stays until `grace_ends_at`. */
    SubscriptionPastDueEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /**
         * Format: date-time
         * @description When the subscription lapses if it is still unpaid; null if nothing is open.
         */
        grace_ends_at: string;
        /**
         * Format: date-time
         * @description When the open payment is tried again; null if no try is planned.
         */
        next_payment_attempt_at: string | null;
        /** @description The id of the payment; null without one. */
        payment_id: string;
        /** @description Why it happened. */
        reason: string;
      };
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
      /** @description Who caused it. */
      actor: components['schemas']['Actor'];
      /** @description When it takes effect: at the end of the period, or at once. */
      effective: components['schemas']['Effective'];
      /**
       * Format: date-time
       * @description When the change takes effect.
       */
      effective_at: string;
      /** @description The id of the motion run that caused it; null without one. */
      motion_run_id: string | null;
      /** @description Why it happened. */
      reason: string;
      /** @description The rest of the paid period or trial in seconds. Resuming continues with it. */
      remaining_seconds: number;
      /**
       * Format: date-time
       * @description When a pause ends by itself; null if it does not.
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
    /** @description A scheduled pause was undone. */
    SubscriptionPauseUnscheduledEvent: components['schemas']['EventFields'] & {
      /**
       * @description What happened.
       * @example {
       *       "reason": "requested",
       *       "actor": "api"
       *     }
       */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description Why it happened. */
        reason: string;
      };
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.pause_unscheduled';
    };
    /** @description The plan of a subscription changed. The event comes before the charge or credit that it causes. */
    SubscriptionPlanChangedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description Whether the new plan costs more per month than the old one, less, or the same. */
        direction: components['schemas']['PlanPreviewDirection'];
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
        proration: {
          /** @description Runs whose offer was applied. */
          applied: components['schemas']['PlanPreviewApplied'];
          /** @description How unused and new time are settled. */
          behavior: components['schemas']['ProrationBehavior'];
          /** @description An ISO 4217 code in upper case. */
          currency: string;
          /** @description What the amount is made of. */
          lines: components['schemas']['Line'][];
          /** @description The amount in minor units. */
          net: number;
          /**
           * Format: date-time
           * @description The moment from which time is prorated.
           */
          proration_date: string;
        };
        /** @description Why it happened. */
        reason: string;
        /** @description The plan after the change. */
        to_plan: string;
      };
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.plan_changed';
    };
    /** @description A cancelled or lapsed subscription became active again. Give access back. */
    SubscriptionReactivatedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description How many days lay between the end and the reactivation. */
        days_away: number;
        /** @description What the amount is made of. */
        lines?: components['schemas']['Line'][];
        /** @description The id of the motion run that caused it; null without one. */
        motion_run_id: string | null;
        /** @description The id of the payment; null without one. */
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
        previous: components['schemas']['Previous'];
        /** @description Why it happened. */
        reason: string;
      };
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.reactivated';
    };
    /** @description A subscription renews in 7 days. */
    SubscriptionRenewalUpcomingEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description An ISO 4217 code in upper case. */
        currency: string;
        /** @description The amount in minor units. */
        estimated_amount: number;
        /** @description What the amount is made of. */
        lines: components['schemas']['Line'][];
        /** @description Why it happened. */
        reason: string;
        /**
         * Format: date-time
         * @description When the subscription renews.
         */
        renews_at: string;
      };
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.renewal_upcoming';
    };
    /** @description A new period began and is paid. */
    SubscriptionRenewedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description The amount in minor units. */
        amount: number;
        /** @description An ISO 4217 code in upper case. */
        currency: string;
        /** @description What the amount is made of. */
        lines?: components['schemas']['Line'][];
        /** @description The id of the payment; null without one. */
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
        /** @description How many times the subscription was renewed, including this time. */
        renewal_count: number;
      };
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.renewed';
    };
    /** @description A paused subscription was resumed. */
    SubscriptionResumedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description Whether the old period continues or a new one was charged. */
        billing: components['schemas']['Billing'];
        /** @description What the amount is made of. */
        lines?: components['schemas']['Line'][];
        /** @description The id of the payment; null without one. */
        payment_id: string | null;
        /**
         * Format: date-time
         * @description When the period ends.
         */
        period_end: string;
        /** @description By how many seconds the end of the period moved because of the pause. */
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
      /** @description The subscription with this id of your own. */
      external_id?: string;
      /**
       * @description How many objects a page has, 1 to 100.
       * @default 50
       */
      limit?: number;
      /** @description Only those of this plan. */
      plan?: string;
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /** @description Only those in this status. */
      status?: components['schemas']['SubscriptionStatus'];
      /** @description Only those of this subscriber. */
      subscriber_id?: string;
    };
    /** @enum {string} */
    SubscriptionStatus: 'active' | 'trialing' | 'paused' | 'cancelled' | 'lapsed';
    /** @description A trial was made longer, by an offer. */
    SubscriptionTrialExtendedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
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
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.trial_extended';
    };
    /** @description A subscription began with a trial. */
    SubscriptionTrialStartedEvent: components['schemas']['EventFields'] & {
      /**
       * @description What happened.
       * @example {
       *       "plan": "pro",
       *       "trial_end": "2026-04-10T12:00:00.000Z",
       *       "payment_method_present": true,
       *       "reason": "new",
       *       "actor": "api"
       *     }
       */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
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
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.trial_started';
    };
    /** @description A trial of at least 4 days ends in 3 days. */
    SubscriptionTrialWillEndEvent: components['schemas']['EventFields'] & {
      /**
       * @description What happened.
       * @example {
       *       "trial_end": "2026-04-10T12:00:00.000Z",
       *       "payment_method_present": false,
       *       "reason": "trial_end",
       *       "actor": "api"
       *     }
       */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
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
      /**
       * @description The type of the event.
       * @constant
       */
      type: 'subscription.trial_will_end';
    };
    /** @enum {string} */
    TagsMatch: 'any' | 'all';
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
      /** @description The id of the object. */
      id: string;
      /** @description A name for people to read. */
      name: string | null;
      /**
       * @description The state of the object.
       * @enum {string}
       */
      status: 'ready' | 'advancing' | 'internal_failure' | 'deleted';
    };
    TestClockList: {
      /** @description The objects of this page. */
      data: components['schemas']['TestClock'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    TestClocksListQuery: {
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
    /** @description You asked for a test event. It says nothing about a subscriber. */
    TestPingEvent: components['schemas']['EventFields'] & {
      /**
       * @description What happened.
       * @example {
       *       "message": "ping"
       *     }
       */
      data: {
        /** @description What went wrong, as a text for people. It may change. */
        message: string;
      };
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
      /** @description The id of the object. */
      id: string;
      metadata: components['schemas']['Metadata'];
      /** @description The priority. */
      priority: components['schemas']['Priority'];
      /** @description How it was resolved. Personal: shown with the scope `pii:read` only. */
      resolution_note?: string | null;
      /**
       * Format: date-time
       * @description When it was resolved; null while it is open.
       */
      resolved_at: string | null;
      /** @description The channel through which the subscriber wrote. */
      source: components['schemas']['TicketSource'];
      /** @description The state of the object. */
      status: components['schemas']['TicketStatus'];
      /** @description The subject. Personal: shown with the scope `pii:read` only. */
      subject?: string | null;
      /** @description The id of the subscriber. */
      subscriber_id: string;
      topic: components['schemas']['Topic'];
    };
    TicketClosedData: {
      /** @description Who caused it. */
      actor: components['schemas']['Actor'];
      previous: components['schemas']['TicketClosedDataPrevious'];
      /** @description Why it happened. */
      reason: string;
      /** @description The time from the submission to the resolution. */
      resolution_seconds: number | null;
      /** @description The ticket as it is after the event. */
      ticket: components['schemas']['Ticket'];
    };
    /** @description The values before the change, of the fields that changed. */
    TicketClosedDataPrevious: {
      /** @description The priority. */
      priority?: components['schemas']['Priority'];
      /** @description The state of the object. */
      status?: components['schemas']['TicketStatus'];
      /** @description The subject. Personal: shown with the scope `pii:read` only. */
      subject?: string | null;
      topic?: components['schemas']['Topic'];
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
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    TicketReopenedData: {
      /** @description Who caused it. */
      actor: components['schemas']['Actor'];
      previous: components['schemas']['TicketClosedDataPrevious'];
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
      /** @description Only those of this priority. */
      priority?: components['schemas']['Priority'];
      /** @description Only those of this source. */
      source?: components['schemas']['TicketSource'];
      /** @description Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`. */
      starting_after?: string;
      /** @description Only those in this status. */
      status?: components['schemas']['TicketStatus'];
      /** @description Only those of this subscriber. */
      subscriber_id?: string;
      /** @description Only those of this topic. */
      topic?: components['schemas']['Topic'];
    };
    /** @enum {string} */
    TicketSource: 'help_center' | 'billing_portal' | 'email_reply';
    /** @enum {string} */
    TicketStatus: 'open' | 'resolved' | 'closed';
    /** @description A subscriber submitted a ticket. */
    TicketSubmittedEvent: components['schemas']['EventFields'] & {
      /** @description What happened. */
      data: {
        /** @description Who caused it. */
        actor: components['schemas']['Actor'];
        /** @description The ticket as it is after the event. */
        ticket: components['schemas']['Ticket'];
      };
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
      /** @description Who caused it. */
      actor: string | null;
      /**
       * Format: date-time
       * @description When it was created.
       */
      created_at: string;
      /** @description The facts of the event. The type decides which fields there are. */
      data: {
        [key: string]: unknown;
      };
      /** @description The id of the object. */
      id: string;
      /** @description Why it happened. */
      reason: string | null;
      /** @description The number of the event among all events of its subscriber, from 1. Receivers order by it. */
      sequence: number;
      /** @description The type of the object. */
      type: string;
    };
    TimelineItemList: {
      /** @description The objects of this page. */
      data: components['schemas']['TimelineItem'][];
      /** @description Whether more objects follow. */
      has_more: boolean;
      /** @description The `starting_after` of the next page. */
      next_cursor: string | null;
      /** @description The `ending_before` of the previous page. */
      previous_cursor: string | null;
    };
    /**
     * @description What the ticket is about.
     * @enum {string}
     */
    Topic:
      'billing_question' | 'refund_request' | 'plan_change' | 'cancel' | 'payment_issue' | 'other';
    /** @enum {string} */
    TraceHeaders: 'on' | 'off';
    /** @enum {string} */
    TriggerMode: 'manual' | 'on_cohort_enter';
    TriggerMotionBody: {
      /**
       * @description Replaces the whole offer of the motion for this run.
       * @example {
       *       "type": "pause",
       *       "days": 30
       *     }
       */
      offer_override?: components['schemas']['OfferBody'];
      /** @description The id of the subscriber. */
      subscriber_id: string;
    };
    UpdateSubscriberBody: {
      /**
       * Format: email
       * @description The e-mail address. Personal: shown with the scope `pii:read` only.
       * @example ada@example.com
       */
      email?: string;
      /**
       * @description Merged into the existing metadata. A value of null deletes the key.
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
      /** @description Tags to add. Not together with `tags`. */
      tags_add?: string[];
      /** @description Tags to remove. Not together with `tags`. */
      tags_remove?: string[];
    };
    /** @description What a pending delivery waits for. Null if it has ended. Null as well while an attempt is in progress or about to start, or waits for a limit of the destination: only the sending process knows those cases. */
    WaitingFor: components['schemas']['WaitingReason'] | null;
    /**
     * @description `earlier_event`: an older event of the same subscriber goes first. `retry`: the next attempt is planned at `next_attempt_at`; it comes earlier if an outage of the receiver ends. `destination`: the destination is disabled, or its receiver is down and only probed.
     * @enum {string}
     */
    WaitingReason: 'earlier_event' | 'retry' | 'destination';
    /** @enum {string} */
    Window: 'last_7d' | 'last_30d' | 'last_90d' | 'last_12mo' | 'all_time';
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type Actor = components['schemas']['Actor'];
export type AdvanceClockBody = components['schemas']['AdvanceClockBody'];
export type AmendTicketBody = components['schemas']['AmendTicketBody'];
export type AppliedOffer = components['schemas']['AppliedOffer'];
export type AuditItem = components['schemas']['AuditItem'];
export type AuditItemList = components['schemas']['AuditItemList'];
export type AuditLogListQuery = components['schemas']['AuditLogListQuery'];
export type Billing = components['schemas']['Billing'];
export type CancelBody = components['schemas']['CancelBody'];
export type CancelFeedback = components['schemas']['CancelFeedback'];
export type Category = components['schemas']['Category'];
export type ChangeCohortBody = components['schemas']['ChangeCohortBody'];
export type ChangeDestinationBody = components['schemas']['ChangeDestinationBody'];
export type ChangeMotionBody = components['schemas']['ChangeMotionBody'];
export type ChangePlanBody = components['schemas']['ChangePlanBody'];
export type Cohort = components['schemas']['Cohort'];
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
export type Counts = components['schemas']['Counts'];
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
export type CreditGrantedEvent = components['schemas']['CreditGrantedEvent'];
export type CreditList = components['schemas']['CreditList'];
export type CreditsListQuery = components['schemas']['CreditsListQuery'];
export type CreditsListTransactionsQuery = components['schemas']['CreditsListTransactionsQuery'];
export type CreditStatus = components['schemas']['CreditStatus'];
export type CreditTransaction = components['schemas']['CreditTransaction'];
export type CreditTransactionList = components['schemas']['CreditTransactionList'];
export type CreditVoidedEvent = components['schemas']['CreditVoidedEvent'];
export type CsvColumns = components['schemas']['CsvColumns'];
export type DeclineType = components['schemas']['DeclineType'];
export type DedupeStrategy = components['schemas']['DedupeStrategy'];
export type DeletedDestination = components['schemas']['DeletedDestination'];
export type DeliveriesListAllQuery = components['schemas']['DeliveriesListAllQuery'];
export type DeliveriesListQuery = components['schemas']['DeliveriesListQuery'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryDetail = components['schemas']['DeliveryDetail'];
export type DeliveryList = components['schemas']['DeliveryList'];
export type DeliveryPreview = components['schemas']['DeliveryPreview'];
export type DeliveryStatus = components['schemas']['DeliveryStatus'];
export type Destination = components['schemas']['Destination'];
export type DestinationHealth = components['schemas']['DestinationHealth'];
export type DestinationHealthList = components['schemas']['DestinationHealthList'];
export type DestinationList = components['schemas']['DestinationList'];
export type DestinationsDeleteQuery = components['schemas']['DestinationsDeleteQuery'];
export type DestinationsListHealthQuery = components['schemas']['DestinationsListHealthQuery'];
export type DestinationsListQuery = components['schemas']['DestinationsListQuery'];
export type DestinationStatus = components['schemas']['DestinationStatus'];
export type DestinationTest = components['schemas']['DestinationTest'];
export type DestinationType = components['schemas']['DestinationType'];
export type DisabledReason = components['schemas']['DisabledReason'];
export type DisputeBody = components['schemas']['DisputeBody'];
export type DisputeStatus = components['schemas']['DisputeStatus'];
export type Duration = components['schemas']['Duration'];
export type Effective = components['schemas']['Effective'];
export type EmitEventBody = components['schemas']['EmitEventBody'];
export type EngagementScoreBody = components['schemas']['EngagementScoreBody'];
export type Environment = components['schemas']['Environment'];
export type Erasure = components['schemas']['Erasure'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type Event = components['schemas']['Event'];
export type EventCounts = components['schemas']['EventCounts'];
export type EventCountsGranularity = components['schemas']['EventCountsGranularity'];
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
export type EventTypesListQuery = components['schemas']['EventTypesListQuery'];
export type EventTypesListVersionsQuery = components['schemas']['EventTypesListVersionsQuery'];
export type Feedback = components['schemas']['Feedback'];
export type FieldError = components['schemas']['FieldError'];
export type GrantCreditBody = components['schemas']['GrantCreditBody'];
export type Granularity = components['schemas']['Granularity'];
export type Health = components['schemas']['Health'];
export type Import = components['schemas']['Import'];
export type ImportLineError = components['schemas']['ImportLineError'];
export type ImportLineErrorList = components['schemas']['ImportLineErrorList'];
export type ImportLinesBody = components['schemas']['ImportLinesBody'];
export type ImportList = components['schemas']['ImportList'];
export type ImportsCreateQuery = components['schemas']['ImportsCreateQuery'];
export type ImportsListErrorsQuery = components['schemas']['ImportsListErrorsQuery'];
export type ImportsListQuery = components['schemas']['ImportsListQuery'];
export type Interval = components['schemas']['Interval'];
export type Line = components['schemas']['Line'];
export type Metadata = components['schemas']['Metadata'];
export type MetricDefinition = components['schemas']['MetricDefinition'];
export type MetricDefinitionList = components['schemas']['MetricDefinitionList'];
export type MetricDefinitionUnit = components['schemas']['MetricDefinitionUnit'];
export type MetricSeries = components['schemas']['MetricSeries'];
export type MetricsGetQuery = components['schemas']['MetricsGetQuery'];
export type MetricsListPlansQuery = components['schemas']['MetricsListPlansQuery'];
export type MetricsListQuery = components['schemas']['MetricsListQuery'];
export type MetricsRecoveryQuery = components['schemas']['MetricsRecoveryQuery'];
export type MetricsRetentionQuery = components['schemas']['MetricsRetentionQuery'];
export type MinimalEvent = components['schemas']['MinimalEvent'];
export type Motion = components['schemas']['Motion'];
export type MotionAcceptedData = components['schemas']['MotionAcceptedData'];
export type MotionAcceptedEvent = components['schemas']['MotionAcceptedEvent'];
export type MotionAppliedEvent = components['schemas']['MotionAppliedEvent'];
export type MotionDeclinedEvent = components['schemas']['MotionDeclinedEvent'];
export type MotionExpiredEvent = components['schemas']['MotionExpiredEvent'];
export type MotionFailedEvent = components['schemas']['MotionFailedEvent'];
export type MotionKind = components['schemas']['MotionKind'];
export type MotionLimitsBody = components['schemas']['MotionLimitsBody'];
export type MotionList = components['schemas']['MotionList'];
export type MotionOffer = components['schemas']['MotionOffer'];
export type MotionPerformance = components['schemas']['MotionPerformance'];
export type MotionPresentedEvent = components['schemas']['MotionPresentedEvent'];
export type MotionRun = components['schemas']['MotionRun'];
export type MotionRunList = components['schemas']['MotionRunList'];
export type MotionRunStatus = components['schemas']['MotionRunStatus'];
export type MotionsListQuery = components['schemas']['MotionsListQuery'];
export type MotionsListRunsQuery = components['schemas']['MotionsListRunsQuery'];
export type MotionsPerformanceQuery = components['schemas']['MotionsPerformanceQuery'];
export type MotionStatus = components['schemas']['MotionStatus'];
export type MotionSuppressedEvent = components['schemas']['MotionSuppressedEvent'];
export type MotionTriggeredEvent = components['schemas']['MotionTriggeredEvent'];
export type Offer = components['schemas']['Offer'];
export type OfferBody = components['schemas']['OfferBody'];
export type OperationalEvent = components['schemas']['OperationalEvent'];
export type OperationalEventList = components['schemas']['OperationalEventList'];
export type OperationalEventsListQuery = components['schemas']['OperationalEventsListQuery'];
export type OperationalEventType = components['schemas']['OperationalEventType'];
export type Order = components['schemas']['Order'];
export type Ordering = components['schemas']['Ordering'];
export type OutboxMessage = components['schemas']['OutboxMessage'];
export type OutboxMessageList = components['schemas']['OutboxMessageList'];
export type PauseBody = components['schemas']['PauseBody'];
export type Payment = components['schemas']['Payment'];
export type PaymentAttempt = components['schemas']['PaymentAttempt'];
export type PaymentAttemptList = components['schemas']['PaymentAttemptList'];
export type PaymentDisputedEvent = components['schemas']['PaymentDisputedEvent'];
export type PaymentDueEvent = components['schemas']['PaymentDueEvent'];
export type PaymentFailedEvent = components['schemas']['PaymentFailedEvent'];
export type PaymentFailure = components['schemas']['PaymentFailure'];
export type PaymentList = components['schemas']['PaymentList'];
export type PaymentMethod = components['schemas']['PaymentMethod'];
export type PaymentMethodBody = components['schemas']['PaymentMethodBody'];
export type PaymentMethodExpiringData = components['schemas']['PaymentMethodExpiringData'];
export type PaymentMethodExpiringEvent = components['schemas']['PaymentMethodExpiringEvent'];
export type PaymentMethodUpdatedEvent = components['schemas']['PaymentMethodUpdatedEvent'];
export type PaymentRecoveredEvent = components['schemas']['PaymentRecoveredEvent'];
export type PaymentRecoveryLostEvent = components['schemas']['PaymentRecoveryLostEvent'];
export type PaymentRefundedEvent = components['schemas']['PaymentRefundedEvent'];
export type PaymentRefundFailedData = components['schemas']['PaymentRefundFailedData'];
export type PaymentRefundFailedEvent = components['schemas']['PaymentRefundFailedEvent'];
export type PaymentRefundRequestedEvent = components['schemas']['PaymentRefundRequestedEvent'];
export type PaymentsListAttemptsQuery = components['schemas']['PaymentsListAttemptsQuery'];
export type PaymentsListQuery = components['schemas']['PaymentsListQuery'];
export type PaymentSource = components['schemas']['PaymentSource'];
export type PaymentState = components['schemas']['PaymentState'];
export type PaymentStatus = components['schemas']['PaymentStatus'];
export type PaymentSucceededEvent = components['schemas']['PaymentSucceededEvent'];
export type PiiMode = components['schemas']['PiiMode'];
export type Plan = components['schemas']['Plan'];
export type PlanList = components['schemas']['PlanList'];
export type PlanPreview = components['schemas']['PlanPreview'];
export type PlanPreviewApplied = components['schemas']['PlanPreviewApplied'];
export type PlanPreviewDirection = components['schemas']['PlanPreviewDirection'];
export type PlansListQuery = components['schemas']['PlansListQuery'];
export type PreviewBody = components['schemas']['PreviewBody'];
export type PreviewCohortBody = components['schemas']['PreviewCohortBody'];
export type Previous = components['schemas']['Previous'];
export type Priority = components['schemas']['Priority'];
export type ProrationBehavior = components['schemas']['ProrationBehavior'];
export type ProviderOutcomeBody = components['schemas']['ProviderOutcomeBody'];
export type Reason = components['schemas']['Reason'];
export type Refund = components['schemas']['Refund'];
export type RefundDestination = components['schemas']['RefundDestination'];
export type RefundList = components['schemas']['RefundList'];
export type RefundReason = components['schemas']['RefundReason'];
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
export type ReplayStatus = components['schemas']['ReplayStatus'];
export type RequestReplayBody = components['schemas']['RequestReplayBody'];
export type ResolveTicketBody = components['schemas']['ResolveTicketBody'];
export type ResumeBody = components['schemas']['ResumeBody'];
export type Retention = components['schemas']['Retention'];
export type RotatedSecret = components['schemas']['RotatedSecret'];
export type RotateSecretBody = components['schemas']['RotateSecretBody'];
export type RunOutcomeBody = components['schemas']['RunOutcomeBody'];
export type SavePlanBody = components['schemas']['SavePlanBody'];
export type Scenario = components['schemas']['Scenario'];
export type ScenarioScenario = components['schemas']['ScenarioScenario'];
export type SchemaVersion = components['schemas']['SchemaVersion'];
export type SchemaVersionList = components['schemas']['SchemaVersionList'];
export type SearchFindQuery = components['schemas']['SearchFindQuery'];
export type SearchResult = components['schemas']['SearchResult'];
export type SearchResults = components['schemas']['SearchResults'];
export type SeedBody = components['schemas']['SeedBody'];
export type SubmitTicketBody = components['schemas']['SubmitTicketBody'];
export type Subscriber = components['schemas']['Subscriber'];
export type SubscriberCreatedEvent = components['schemas']['SubscriberCreatedEvent'];
export type SubscriberErasedEvent = components['schemas']['SubscriberErasedEvent'];
export type SubscriberList = components['schemas']['SubscriberList'];
export type SubscribersGetQuery = components['schemas']['SubscribersGetQuery'];
export type SubscribersListEventsQuery = components['schemas']['SubscribersListEventsQuery'];
export type SubscribersListQuery = components['schemas']['SubscribersListQuery'];
export type SubscribersTimelineQuery = components['schemas']['SubscribersTimelineQuery'];
export type SubscriberUpdatedEvent = components['schemas']['SubscriberUpdatedEvent'];
export type Subscription = components['schemas']['Subscription'];
export type SubscriptionActivatedEvent = components['schemas']['SubscriptionActivatedEvent'];
export type SubscriptionCancellationScheduledData =
  components['schemas']['SubscriptionCancellationScheduledData'];
export type SubscriptionCancellationScheduledEvent =
  components['schemas']['SubscriptionCancellationScheduledEvent'];
export type SubscriptionCancellationUnscheduledEvent =
  components['schemas']['SubscriptionCancellationUnscheduledEvent'];
export type SubscriptionCancelledEvent = components['schemas']['SubscriptionCancelledEvent'];
export type SubscriptionDiscountAppliedEvent =
  components['schemas']['SubscriptionDiscountAppliedEvent'];
export type SubscriptionLapsedEvent = components['schemas']['SubscriptionLapsedEvent'];
export type SubscriptionList = components['schemas']['SubscriptionList'];
export type SubscriptionPastDueEvent = components['schemas']['SubscriptionPastDueEvent'];
export type SubscriptionPausedEvent = components['schemas']['SubscriptionPausedEvent'];
export type SubscriptionPauseScheduledData =
  components['schemas']['SubscriptionPauseScheduledData'];
export type SubscriptionPauseScheduledEvent =
  components['schemas']['SubscriptionPauseScheduledEvent'];
export type SubscriptionPauseUnscheduledEvent =
  components['schemas']['SubscriptionPauseUnscheduledEvent'];
export type SubscriptionPlanChangedEvent = components['schemas']['SubscriptionPlanChangedEvent'];
export type SubscriptionReactivatedEvent = components['schemas']['SubscriptionReactivatedEvent'];
export type SubscriptionRenewalUpcomingEvent =
  components['schemas']['SubscriptionRenewalUpcomingEvent'];
export type SubscriptionRenewedEvent = components['schemas']['SubscriptionRenewedEvent'];
export type SubscriptionResumedEvent = components['schemas']['SubscriptionResumedEvent'];
export type SubscriptionsGetQuery = components['schemas']['SubscriptionsGetQuery'];
export type SubscriptionsListQuery = components['schemas']['SubscriptionsListQuery'];
export type SubscriptionStatus = components['schemas']['SubscriptionStatus'];
export type SubscriptionTrialExtendedEvent =
  components['schemas']['SubscriptionTrialExtendedEvent'];
export type SubscriptionTrialStartedEvent = components['schemas']['SubscriptionTrialStartedEvent'];
export type SubscriptionTrialWillEndEvent = components['schemas']['SubscriptionTrialWillEndEvent'];
export type TagsMatch = components['schemas']['TagsMatch'];
export type TestClock = components['schemas']['TestClock'];
export type TestClockList = components['schemas']['TestClockList'];
export type TestClocksListQuery = components['schemas']['TestClocksListQuery'];
export type TestHelpersListOutboxQuery = components['schemas']['TestHelpersListOutboxQuery'];
export type TestPingEvent = components['schemas']['TestPingEvent'];
export type Ticket = components['schemas']['Ticket'];
export type TicketClosedData = components['schemas']['TicketClosedData'];
export type TicketClosedDataPrevious = components['schemas']['TicketClosedDataPrevious'];
export type TicketClosedEvent = components['schemas']['TicketClosedEvent'];
export type TicketList = components['schemas']['TicketList'];
export type TicketReopenedData = components['schemas']['TicketReopenedData'];
export type TicketReopenedEvent = components['schemas']['TicketReopenedEvent'];
export type TicketResolvedEvent = components['schemas']['TicketResolvedEvent'];
export type TicketsListQuery = components['schemas']['TicketsListQuery'];
export type TicketSource = components['schemas']['TicketSource'];
export type TicketStatus = components['schemas']['TicketStatus'];
export type TicketSubmittedEvent = components['schemas']['TicketSubmittedEvent'];
export type TicketUpdatedEvent = components['schemas']['TicketUpdatedEvent'];
export type TimelineItem = components['schemas']['TimelineItem'];
export type TimelineItemList = components['schemas']['TimelineItemList'];
export type Topic = components['schemas']['Topic'];
export type TraceHeaders = components['schemas']['TraceHeaders'];
export type TriggerMode = components['schemas']['TriggerMode'];
export type TriggerMotionBody = components['schemas']['TriggerMotionBody'];
export type UpdateSubscriberBody = components['schemas']['UpdateSubscriberBody'];
export type WaitingFor = components['schemas']['WaitingFor'];
export type WaitingReason = components['schemas']['WaitingReason'];
export type Window = components['schemas']['Window'];

/** The shape of each event type. */
export interface EventTypes {
  'cohort.entered': CohortEnteredEvent;
  'cohort.exited': CohortExitedEvent;
  'credit.applied': CreditAppliedEvent;
  'credit.expired': CreditExpiredEvent;
  'credit.granted': CreditGrantedEvent;
  'credit.voided': CreditVoidedEvent;
  'motion.accepted': MotionAcceptedEvent;
  'motion.applied': MotionAppliedEvent;
  'motion.declined': MotionDeclinedEvent;
  'motion.expired': MotionExpiredEvent;
  'motion.failed': MotionFailedEvent;
  'motion.presented': MotionPresentedEvent;
  'motion.suppressed': MotionSuppressedEvent;
  'motion.triggered': MotionTriggeredEvent;
  'payment.disputed': PaymentDisputedEvent;
  'payment.due': PaymentDueEvent;
  'payment.failed': PaymentFailedEvent;
  'payment.method_expiring': PaymentMethodExpiringEvent;
  'payment.method_updated': PaymentMethodUpdatedEvent;
  'payment.recovered': PaymentRecoveredEvent;
  'payment.recovery_lost': PaymentRecoveryLostEvent;
  'payment.refund_failed': PaymentRefundFailedEvent;
  'payment.refund_requested': PaymentRefundRequestedEvent;
  'payment.refunded': PaymentRefundedEvent;
  'payment.succeeded': PaymentSucceededEvent;
  'subscriber.created': SubscriberCreatedEvent;
  'subscriber.erased': SubscriberErasedEvent;
  'subscriber.updated': SubscriberUpdatedEvent;
  'subscription.activated': SubscriptionActivatedEvent;
  'subscription.cancellation_scheduled': SubscriptionCancellationScheduledEvent;
  'subscription.cancellation_unscheduled': SubscriptionCancellationUnscheduledEvent;
  'subscription.cancelled': SubscriptionCancelledEvent;
  'subscription.discount_applied': SubscriptionDiscountAppliedEvent;
  'subscription.lapsed': SubscriptionLapsedEvent;
  'subscription.past_due': SubscriptionPastDueEvent;
  'subscription.pause_scheduled': SubscriptionPauseScheduledEvent;
  'subscription.pause_unscheduled': SubscriptionPauseUnscheduledEvent;
  'subscription.paused': SubscriptionPausedEvent;
  'subscription.plan_changed': SubscriptionPlanChangedEvent;
  'subscription.reactivated': SubscriptionReactivatedEvent;
  'subscription.renewal_upcoming': SubscriptionRenewalUpcomingEvent;
  'subscription.renewed': SubscriptionRenewedEvent;
  'subscription.resumed': SubscriptionResumedEvent;
  'subscription.trial_extended': SubscriptionTrialExtendedEvent;
  'subscription.trial_started': SubscriptionTrialStartedEvent;
  'subscription.trial_will_end': SubscriptionTrialWillEndEvent;
  'test.ping': TestPingEvent;
  'ticket.closed': TicketClosedEvent;
  'ticket.reopened': TicketReopenedEvent;
  'ticket.resolved': TicketResolvedEvent;
  'ticket.submitted': TicketSubmittedEvent;
  'ticket.updated': TicketUpdatedEvent;
}
