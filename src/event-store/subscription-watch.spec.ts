import { SubscriptionWatch } from './subscription-watch';

describe('the watch over subscriptions', () => {
  let watch: SubscriptionWatch;

  beforeEach(() => {
    jest.useFakeTimers({ now: 1_000_000 });
    watch = new SubscriptionWatch();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('names a subscription whose confirmation has been missing for 30 seconds', () => {
    const watched = watch.add('destination dst_1');
    watched.recordOpening();
    jest.advanceTimersByTime(29_999);
    watched.recordOpening();
    expect(watch.listUnconfirmed()).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(watch.listUnconfirmed()).toMatchObject([
      { name: 'destination dst_1', unconfirmedForMs: 30_000, confirmedAtMs: null },
    ]);
    watched.recordConfirmation();
    expect(watch.listUnconfirmed()).toEqual([]);
  });

  it('does not name a subscription to a group that another process owns', () => {
    const watched = watch.add('destination dst_1');
    watched.recordOpening();
    watched.recordAnswer();
    jest.advanceTimersByTime(60_000);
    expect(watch.listUnconfirmed()).toEqual([]);
  });

  it('forgets a subscription that has ended', () => {
    const watched = watch.add('destination dst_1');
    watched.recordOpening();
    watch.remove(watched);
    jest.advanceTimersByTime(60_000);
    expect(watch.listReports()).toEqual([]);
  });

  it('reports the last confirmation, the last event and how late it came', () => {
    const watched = watch.add('projector');
    watched.recordConfirmation();
    jest.advanceTimersByTime(5_000);
    watched.recordEvent(1_004_200);
    expect(watch.listReports()).toEqual([
      {
        name: 'projector',
        confirmedAtMs: 1_000_000,
        lastEventAtMs: 1_005_000,
        lagMs: 800,
        unconfirmedForMs: 0,
      },
    ]);
  });

  it('doubles the time limit with each missing confirmation, from 3 to 30 seconds', () => {
    const watched = watch.add('projector');
    const limits = [1, 2, 3, 4, 5].map(() => {
      const limit = watched.confirmWithinMs;
      watched.recordTimeout();
      return limit;
    });
    expect(limits).toEqual([3_000, 6_000, 12_000, 24_000, 30_000]);
    watched.recordConfirmation();
    expect(watched.confirmWithinMs).toBe(3_000);
  });

  it('resets the time limit after a break, because a server that ends a call is not silent', () => {
    const watched = watch.add('projector');
    watched.recordTimeout();
    watched.recordTimeout();
    watched.recordBreak();
    expect(watched.confirmWithinMs).toBe(3_000);
    expect(watched.report()).toMatchObject({ unconfirmedForMs: 0 });
    jest.advanceTimersByTime(30_000);
    expect(watch.listUnconfirmed()).toMatchObject([{ name: 'projector' }]);
  });
});
