import { findOwner } from './shares';

const destinations = Array.from({ length: 300 }, (_, i) => `dest_${i}`);

const shareOf = (member: string, members: readonly string[]): string[] =>
  destinations.filter((id) => findOwner(id, members) === member);

describe('shares of destinations', () => {
  it('are about equal and do not depend on the order of the members', () => {
    for (const member of ['a', 'b', 'c']) {
      const share = shareOf(member, ['a', 'b', 'c']);
      expect(share.length).toBeGreaterThan(70);
      expect(share).toEqual(shareOf(member, ['c', 'a', 'b']));
    }
  });

  it('change only for the destinations of a member that joins', () => {
    const before = shareOf('a', ['a', 'b']);
    const after = shareOf('a', ['a', 'b', 'c']);
    expect(before).toEqual(expect.arrayContaining(after));
    expect(after.length).toBeLessThan(before.length);
  });
});
