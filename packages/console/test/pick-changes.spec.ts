import { pickChanges } from '../src/ui/pick-changes';

describe('a form that is saved', () => {
  it('sends only the fields whose values were changed', () => {
    const before = { name: 'Acme', days: 5, types: ['a', 'b'], note: null as string | null };
    expect(pickChanges(before, { ...before, types: ['a', 'b'] })).toEqual({});
    expect(pickChanges(before, { ...before, days: 10, types: ['a'] })).toEqual({
      days: 10,
      types: ['a'],
    });
    expect(pickChanges({ ...before, note: 'x' }, before)).toEqual({ note: null });
  });
});
