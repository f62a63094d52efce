import { LinkProgress } from './link-progress';

describe('the progress of category links', () => {
  it('waits for a link that was written after the oldest event without one', () => {
    const links = new LinkProgress();
    links.recordAppend('tenant-t1', 100n);
    links.recordAppend('api_key-k1', 200n);
    expect(links.waiting).toMatchObject({ category: 'tenant', position: 100n });
    links.recordLink(90n);
    expect(links.waiting).not.toBeNull();
    links.recordLink(150n);
    expect(links.waiting).toBeNull();
  });

  it('does not wait for an event older than a known link or in a stream without a category', () => {
    const links = new LinkProgress();
    links.recordLink(500n);
    links.recordAppend('tenant-t1', 400n);
    links.recordAppend('$$tenant-t1', 600n);
    links.recordAppend('unnamed', 700n);
    expect(links.waiting).toBeNull();
  });
});
