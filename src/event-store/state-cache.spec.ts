import { StateCache } from './state-cache';

const loaded = (facts: number) => ({ state: {}, revision: facts - 1 });

describe('the cache of states', () => {
  it('keeps many short streams', () => {
    const cache = new StateCache(1_000);
    for (let i = 0; i < 100; i += 1) cache.set(`s-${i}`, loaded(1));
    expect(cache.has('s-0')).toBe(true);
  });

  it('drops the least recently used states when others need their room', () => {
    const cache = new StateCache(1_000);
    cache.set('first', loaded(300));
    cache.set('second', loaded(300));
    cache.get('first');
    cache.set('third', loaded(500));
    expect(['first', 'second', 'third'].map((name) => cache.has(name))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('keeps a stream that is longer than the size of the cache', () => {
    const cache = new StateCache(1_000);
    cache.set('long', loaded(1_000_000));
    expect(cache.get('long')).toEqual(loaded(1_000_000));
  });

  it('drops the state of an excluded stream and never keeps it again', () => {
    const cache = new StateCache(1_000);
    cache.set('erased', loaded(1));
    cache.exclude('erased');
    expect(cache.has('erased')).toBe(false);
    cache.set('erased', loaded(2));
    cache.set('other', loaded(2));
    expect(cache.get('erased')).toBeUndefined();
    expect(cache.has('other')).toBe(true);
  });
});
