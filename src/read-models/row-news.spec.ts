import { RowNews } from './row-news';

const LONG_MS = 60_000;

describe('news of rows', () => {
  const never = new AbortController().signal;

  it('wake who waits for the table, and nobody else', async () => {
    const news = new RowNews();
    const heard = news.listen('timers').next(LONG_MS, never);
    const others = new AbortController();
    let woken = false;
    const other = news
      .listen('clocks')
      .next(LONG_MS, others.signal)
      .then(() => (woken = true));
    news.tell('timers', [{ id: 'a' }]);
    await heard;
    expect(woken).toBe(false);
    others.abort();
    await other;
  });

  it('are not missed by who was at work meanwhile, and are news only once', async () => {
    const news = new RowNews();
    const listener = news.listen('timers');
    news.tell('timers', [{ id: 'a' }]);
    await listener.next(LONG_MS, never);
    const startedAt = performance.now();
    await listener.next(20, never);
    expect(performance.now() - startedAt).toBeGreaterThan(15);
  });

  it('are only of rows that concern the listener', async () => {
    const news = new RowNews();
    const listener = news.listen('timers', ({ due }) => due === 'soon');
    news.tell('timers', [{ due: 'later' }]);
    const startedAt = performance.now();
    await listener.next(20, never);
    expect(performance.now() - startedAt).toBeGreaterThan(15);
    news.tell('timers', [{ due: 'later' }, { due: 'soon' }]);
    await listener.next(LONG_MS, never);
  });
});
