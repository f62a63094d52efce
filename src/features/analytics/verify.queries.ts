import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { notFound } from '../../kernel/errors';
import { requireSubscriberId } from '../../kernel/required-ids';
import { parseScope } from '../../kernel/scope';
import { streams } from '../../event-store/streams';
import { Verifier } from '../../projections/verifier';
import { Database } from '../../read-models/database';
import type { Verification } from './analytics.dto';

const DIFFERENCES_MAX = 100;

export class VerifyProjections extends Query<Verification> {
  constructor(readonly asked: { readonly sample: number; readonly subscriberId: string | null }) {
    super();
  }
}

@QueryHandler(VerifyProjections)
export class VerifyProjectionsHandler implements IQueryHandler<VerifyProjections> {
  constructor(
    private readonly database: Database,
    private readonly verifier: Verifier,
  ) {}

  async execute({ asked }: VerifyProjections): Promise<Verification> {
    if (asked.subscriberId !== null) requireSubscriberId(asked.subscriberId, 'subscriber_id');
    const sample = await this.sample(asked);
    if (asked.subscriberId !== null && sample.length === 0) {
      throw notFound('subscriber', 'subscriber_id');
    }
    const total = { subscribers: sample.length, events: 0, rows: 0 };
    const differences: Verification['differences'] = [];
    for (const { scope, id } of sample) {
      const stream = streams.subscriber(parseScope(scope), id).name;
      const verified = await this.verifier.verify(stream);
      total.events += verified.events;
      total.rows += verified.rows;
      for (const { columns, ...difference } of verified.differences) {
        differences.push({ ...difference, columns: [...columns] });
      }
    }
    return { ...total, differences: differences.slice(0, DIFFERENCES_MAX) };
  }

  private sample({
    sample,
    subscriberId,
  }: VerifyProjections['asked']): Promise<{ scope: string; id: string }[]> {
    return this.database.query({
      text: `select scope, id from subscribers where $2::text is null or id = $2
        order by random() limit $1`,
      values: [sample, subscriberId],
    });
  }
}
