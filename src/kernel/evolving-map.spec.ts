import fc from 'fast-check';
import { EvolvingMap } from './evolving-map';

const MANY = 20_000;

describe('a map that facts change', () => {
  it('is what a map would be, after each of its changes', () => {
    const key = fc.nat({ max: 12 });
    const change = fc.record({
      set: fc.array(fc.tuple(key, fc.nat()), { maxLength: 5 }),
      deleted: fc.array(key, { maxLength: 5 }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const plain = new Map<number, number>();
        let evolving = EvolvingMap.empty<number, number>();
        const before = changes.map((each) => {
          for (const [k, value] of each.set) plain.set(k, value);
          for (const k of each.deleted) plain.delete(k);
          evolving = evolving.after(each);
          expect(evolving.toMap()).toEqual(plain);
          return { evolving, entries: [...plain] };
        });
        for (const { evolving: then, entries } of before) {
          expect(then.toMap()).toEqual(new Map(entries));
        }
      }),
    );
  });

  it('is not copied for each of many small changes', () => {
    const all = Array.from({ length: MANY }, (_, i) => [i, i] as const);
    let evolving = EvolvingMap.empty<number, number>().after({ set: all, deleted: [] });
    const copies = jest.spyOn(EvolvingMap.prototype, 'toMap');
    for (let i = 0; i < MANY; i += 1) evolving = evolving.after({ set: [[i, -i]], deleted: [] });
    expect(copies).not.toHaveBeenCalled();
    copies.mockRestore();
    expect(evolving.toMap().get(MANY - 1)).toBe(1 - MANY);
  });
});
