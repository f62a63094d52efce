import { noon } from '../../../test/support/given';
import { DomainError } from '../../kernel/errors';
import type { Currency } from '../../kernel/money';
import { planAggregate, type PlanDraft, savePlan } from './plan.decider';

const pro: PlanDraft = {
  id: 'pro',
  name: 'Pro',
  amount: 2_000,
  currency: 'USD' as Currency,
  interval: 'month',
  intervalCount: 1,
  trialDays: 0,
  externalId: null,
};

const saved = (...drafts: PlanDraft[]) =>
  drafts.reduce((plan, draft) => {
    const facts = savePlan('tnt_1.test', draft, noon)(plan);
    return facts.reduce((state, fact) => planAggregate.evolve(state, { ...fact, at: noon }), plan);
  }, planAggregate.initialState());

describe('saving a plan (D-07)', () => {
  it('makes a new version only if the terms change', () => {
    expect(saved(pro)).toMatchObject({ terms: { version: 1 } });
    expect(saved(pro, { ...pro, name: 'Professional' })).toMatchObject({ terms: { version: 1 } });
    expect(saved(pro, { ...pro, amount: 3_000 })).toMatchObject({ terms: { version: 2 } });
    expect(savePlan('tnt_1.test', pro, noon)(saved(pro))).toEqual([]);
  });

  it('refuses another currency', () => {
    const euro = { ...pro, currency: 'EUR' as Currency };
    expect(() => savePlan('tnt_1.test', euro, noon)(saved(pro))).toThrow(DomainError);
  });
});
