import { type Static, Type } from '@sinclair/typebox';
import { Choice, ChoiceList, Line, Nested, Num, Text } from '../../http/fields/fields';
import { TextList } from '../../http/fields/list-fields';
import { PageParameters } from '../../http/lists/list-query';
import { Moment, nullable } from '../../domain/schema/fields';
import { SUBSCRIPTION_STATUSES } from '../../domain/billing/subscription.events';
import type { KnownCohort } from '../../domain/cohorts/cohort.decider';
import { CohortDefinition, TAG_MATCHES } from '../../domain/cohorts/cohort.events';

const NAME_CHARS_MAX = 200;
const DESCRIPTION_CHARS_MAX = 1_000;
const VALUES_MAX = 100;
const TAG_CHARS_MAX = 64;
/** The limit of a tenure is about a hundred years. */
const TENURE_DAYS_MAX = 36_500;

export class CohortDefinitionBody implements CohortDefinition {
  @ChoiceList(SUBSCRIPTION_STATUSES, {
    optional: true,
    description: 'The primary subscription has one of these statuses.',
  })
  readonly status?: NonNullable<CohortDefinition['status']>;

  @Num({ min: 0, max: TENURE_DAYS_MAX, optional: true, description: 'Inclusive.' })
  readonly tenure_days_min?: number;

  @Num({ min: 0, max: TENURE_DAYS_MAX, optional: true, description: 'Inclusive.' })
  readonly tenure_days_max?: number;

  @TextList({
    itemsMax: VALUES_MAX,
    itemCharsMax: 64,
    optional: true,
    description: 'The primary subscription has one of these plans.',
  })
  readonly plan_ids?: string[];

  @TextList({
    itemsMax: VALUES_MAX,
    itemCharsMax: TAG_CHARS_MAX,
    optional: true,
    description: 'The subscriber has one of these tags, or with `tags_match: "all"` all of them.',
  })
  readonly tags_include?: string[];

  @Choice(TAG_MATCHES, { optional: true, default: 'any' })
  readonly tags_match?: NonNullable<CohortDefinition['tags_match']>;

  @TextList({
    itemsMax: VALUES_MAX,
    itemCharsMax: TAG_CHARS_MAX,
    optional: true,
    description: 'The subscriber has none of these tags.',
  })
  readonly tags_exclude?: string[];

  @Num({
    min: 0,
    max: 100,
    optional: true,
    description: 'At least this score; a subscriber without a score never matches.',
  })
  readonly engagement_score_min?: number;
}

const DEFINITION_EXAMPLE = { status: ['active'], tags_include: ['vip'] };

export class CreateCohortBody {
  @Line({ max: NAME_CHARS_MAX, example: 'At risk' })
  readonly name!: string;

  @Text({ min: 0, max: DESCRIPTION_CHARS_MAX, optional: true, nullable: true })
  readonly description?: string | null;

  @Nested(() => CohortDefinitionBody, {
    description: 'All fields must match; `{}` is everyone.',
    example: DEFINITION_EXAMPLE,
  })
  readonly definition!: CohortDefinitionBody;
}

export class ChangeCohortBody {
  @Line({ max: NAME_CHARS_MAX, optional: true, example: 'At risk' })
  readonly name?: string;

  @Text({ min: 0, max: DESCRIPTION_CHARS_MAX, optional: true, nullable: true })
  readonly description?: string | null;

  @Nested(() => CohortDefinitionBody, {
    optional: true,
    example: DEFINITION_EXAMPLE,
    description:
      'Replaces the whole definition. Members enter and exit with `reason: definition_changed`.',
  })
  readonly definition?: CohortDefinitionBody;
}

export class ListCohortsQuery extends PageParameters {}

export class ListMembersQuery extends PageParameters {}

export const CohortResource = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: nullable(Type.String()),
    definition: CohortDefinition,
    member_count: Type.Integer(),
    used_by_motions: Type.Array(Type.String()),
    created_at: Moment,
    updated_at: Moment,
  },
  { title: 'Cohort' },
);
export type CohortResource = Static<typeof CohortResource>;

export const MemberResource = Type.Object(
  { subscriber_id: Type.String(), entered_at: Moment },
  { title: 'CohortMember' },
);
export type MemberResource = Static<typeof MemberResource>;

export class PreviewCohortBody {
  @Nested(() => CohortDefinitionBody, {
    description: 'All fields must match; `{}` is everyone.',
    example: DEFINITION_EXAMPLE,
  })
  readonly definition!: CohortDefinitionBody;
}

export const CohortPreview = Type.Object(
  {
    member_count: Type.Integer({ description: 'How many subscribers match now.' }),
    examples: Type.Array(
      Type.Object({
        id: Type.String(),
        email: Type.Union([Type.String(), Type.Null()], { pii: 'email' }),
      }),
      { description: 'The newest of them, at most five.' },
    ),
  },
  { title: 'CohortPreview' },
);
export type CohortPreview = Static<typeof CohortPreview>;

interface CohortUsage {
  readonly memberCount: number;
  readonly motionIds: readonly string[];
}

export const viewCohort = (
  cohort: KnownCohort,
  { memberCount, motionIds }: CohortUsage,
): CohortResource => ({
  id: cohort.id,
  name: cohort.name,
  description: cohort.description,
  definition: cohort.definition,
  member_count: memberCount,
  used_by_motions: [...motionIds],
  created_at: cohort.createdAt,
  updated_at: cohort.updatedAt,
});
