import { createMatchSql } from '../../domain/cohorts/cohort-matcher';
import type { CohortDefinition } from '../../domain/cohorts/cohort.events';
import type { Vault } from '../../event-store/vault';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import type { CohortPreview } from './cohort.dto';

const EXAMPLES_MAX = 5;

interface ExampleRow {
  readonly id: string;
  readonly sealed_email: string | null;
}

/** Shows which subscribers would be members of a cohort, without creating it. */
export class CohortPreviews {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  async preview(scope: Scope, definition: CohortDefinition, now: Instant): Promise<CohortPreview> {
    const { text, values } = createMatchSql(definition, now, 2);
    const given = [scopeName(scope), ...values];
    const [row] = await this.database.query<{ count: string }>({
      text: `select count(*) as count from cohort_subjects where scope = $1 and ${text}`,
      values: given,
    });
    const examples = await this.database.query<ExampleRow>({
      text: `select s.id, s.sealed_email from
          (select subscriber_id from cohort_subjects where scope = $1 and ${text}
            order by created_at desc, subscriber_id desc limit ${EXAMPLES_MAX}) as m
        join subscribers s on s.scope = $1 and s.id = m.subscriber_id
        order by s.created_at desc, s.id desc`,
      values: given,
    });
    return {
      member_count: Number(row?.count ?? 0),
      examples: await Promise.all(examples.map((each) => this.present(each))),
    };
  }

  private async present({ id, sealed_email }: ExampleRow) {
    const personal = await this.vault.open(id, sealed_email ?? undefined);
    return { id, email: personal?.email ?? null };
  }
}
