import { LinkProgress } from './link-progress';

describe('the progress of category links', () => {
  it('waits for a link that was written after the oldest event without one', () => {
    const links = new LinkProgress();
    links.appended('tenant-t1', 100n);
    links.appended('api_key-k1', 200n);
    expect(links.waiting).toMatchObject({ category: 'tenant', position: 100n });
    links.linked(90n);
    expect(links.waiting).not.toBeNull();
    links.linked(150n);
    expect(links.waiting).toBeNull();
  });

  it('does not wait for what a newer link follows already, nor for streams without a category', () => {
    const links = new LinkProgress();
    links.linked(500n);
    links.appended('tenant-t1', 400n);
    links.appended('$$tenant-t1', 600n);
    links.appended('unnamed', 700n);
    expect(links.waiting).toBeNull();
  });
});
