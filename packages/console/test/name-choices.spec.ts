import { createNameChoices } from '../src/api/name-choices';

describe('names of a choice', () => {
  it('are followed by the id only if several objects have the same name', () => {
    const all = [
      { id: 'basic', name: 'Digital' },
      { id: 'pro', name: 'Print' },
      { id: 'basic_2', name: 'Digital' },
    ];
    expect(createNameChoices(all)).toEqual([
      ['basic', 'Digital (basic)'],
      ['pro', 'Print'],
      ['basic_2', 'Digital (basic_2)'],
    ]);
  });
});
