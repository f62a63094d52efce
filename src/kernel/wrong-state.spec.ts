import { wrongStateError } from './wrong-state';

describe('the refusal of an action in a status', () => {
  it('names the statuses in which the action is possible', () => {
    const refused = wrongStateError('motion', { status: 'archived', allowed: ['draft', 'paused'] });
    expect(refused.code).toBe('invalid_state_transition');
    expect(refused.message).toBe(
      'The motion is archived; this is possible while it is draft or paused.',
    );
    expect(refused.facts.details).toEqual({
      current_status: 'archived',
      allowed: ['draft', 'paused'],
    });
  });

  it('names none if there is none, and ends with the hint', () => {
    const refused = wrongStateError('dispute', { status: 'won', allowed: [null], hint: ' Hint.' });
    expect(refused.message).toBe('The dispute is won. Hint.');
  });
});
