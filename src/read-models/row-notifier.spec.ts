import { RowNotifier } from './row-notifier';

const LONG_MS = 60_000;

describe('notifications of rows', () => {
  const never = new AbortController().signal;

  it('wake only the listeners of the table', async () => {
    const news = new RowNotifier();
    const heard = news.listen('timers').waitForRows(LONG_MS, never);
    const others = new AbortController();
    let woken = false;
    const other = news
      .listen('clocks')
      .waitForRows(LONG_MS, others.signal)
      .then(() => (woken = true));
    news.notify('timers', [{ id: 'a' }]);
    await heard;
    expect(woken).toBe(false);
    others.abort();
    await other;
  });

  it('reach a listener that did not wait, and only once', async () => {
    const news = new RowNotifier();
    const listener = news.listen('timers');
    news.notify('timers', [{ id: 'a' }]);
    await listener.waitForRows(LONG_MS, never);
    const startedAt = performance.now();
    await listener.waitForRows(20, never);
    expect(performance.now() - startedAt).toBeGreaterThan(15);
  });

  it('are limited to the rows that are relevant for the listener', async () => {
    const news = new RowNotifier();
    const listener = news.listen('timers', ({ due }) => due === 'soon');
    news.notify('timers', [{ due: 'later' }]);
    const startedAt = performance.now();
    await listener.waitForRows(20, never);
    expect(performance.now() - startedAt).toBeGreaterThan(15);
    news.notify('timers', [{ due: 'later' }, { due: 'soon' }]);
    await listener.waitForRows(LONG_MS, never);
  });
});
