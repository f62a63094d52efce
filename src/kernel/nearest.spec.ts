import { findNearest } from './nearest';

describe('the nearest of several names', () => {
  const types = ['payment.failed', 'payment.refunded', 'subscription.paused'];

  it('is the one with the fewest changed letters', () => {
    expect(findNearest('payment.faild', types)).toBe('payment.failed');
    expect(findNearest('subscripton.pause', types)).toBe('subscription.paused');
    expect(findNearest('payment.refunded', types)).toBe('payment.refunded');
    expect(findNearest('payment.failed', [])).toBeUndefined();
  });
});
