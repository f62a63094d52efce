import { Story } from '../../../test/support/story';
import { DomainError } from '../../kernel/errors';
import { recordDispute } from './dispute';
import { DISPUTE_STATUSES, type DisputeStatus } from './payment.events';

const COURSES: readonly (readonly DisputeStatus[])[] = [
  [],
  ['open'],
  ['open', 'won'],
  ['open', 'lost'],
];

const paymentOf = ({ state }: Story): string => [...state.payments.byId.keys()][0]!;

const disputed = async (course: readonly DisputeStatus[]): Promise<Story> => {
  const story = await Story.active();
  await story.after(31);
  for (const status of course) await report(story, status);
  return story;
};

const report = async (story: Story, status: DisputeStatus): Promise<unknown> => {
  try {
    const facts = await story.do((draft) => {
      draft.add(...recordDispute(paymentOf(story), status)(draft.state));
    });
    return facts.map(({ data }) => (data as { dispute_status?: unknown }).dispute_status);
  } catch (error) {
    if (error instanceof DomainError) return [error.code, error.facts.details];
    throw error;
  }
};

const refusal = (current_status: DisputeStatus, allowed: readonly (DisputeStatus | null)[]) => [
  'invalid_state_transition',
  { current_status, allowed },
];

describe('a dispute', () => {
  it('is open, won or lost, and won and lost are final', async () => {
    const outcomes: unknown[] = [];
    for (const course of COURSES) {
      for (const status of DISPUTE_STATUSES)
        outcomes.push(await report(await disputed(course), status));
    }
    expect(outcomes).toEqual([
      ...[['open'], ['won'], ['lost']],
      ...[[], ['won'], ['lost']],
      ...[refusal('won', [null]), [], refusal('won', [null, 'open'])],
      ...[refusal('lost', [null]), refusal('lost', [null, 'open']), []],
    ]);
  });

  it('is refused for a payment that has not succeeded', async () => {
    const story = await Story.active('pm_test_soft_decline');
    await story.after(31);
    const id = [...story.state.payments.byId.values()].at(-1)!.id;
    const open = story.refusal((draft) => recordDispute(id, 'open')(draft.state));
    expect(await open).toBe('invalid_state_transition');
  });
});
