import { ownerOf } from './shares';

const destinations = Array.from({ length: 300 }, (_, i) => `dest_${i}`);

const shareOf = (member: string, members: readonly string[]): string[] =>
  destinations.filter((id) => ownerOf(id, members) === member);

describe('shares of destinations', () => {
  it('are about equal, whatever the order in which the members are seen', () => {
    for (const member of ['a', 'b', 'c']) {
      const share = shareOf(member, ['a', 'b', 'c']);
      expect(share.length).toBeGreaterThan(70);
      expect(share).toEqual(shareOf(member, ['c', 'a', 'b']));
    }
  });

  it('stay where they are when another member comes, but for its own', () => {
    const before = shareOf('a', ['a', 'b']);
    const after = shareOf('a', ['a', 'b', 'c']);
    expect(before).toEqual(expect.arrayContaining(after));
    expect(after.length).toBeLessThan(before.length);
  });
});
