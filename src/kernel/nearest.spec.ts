import { findMisspelled, findNearest } from './nearest';

describe('the nearest of several names', () => {
  const types = ['payment.failed', 'payment.refunded', 'subscription.paused'];

  it('is the one with the fewest changed letters', () => {
    expect(findNearest('payment.faild', types)).toBe('payment.failed');
    expect(findNearest('subscripton.pause', types)).toBe('subscription.paused');
    expect(findNearest('payment.refunded', types)).toBe('payment.refunded');
    expect(findNearest('payment.failed', [])).toBeUndefined();
  });
});

describe('the misspelled candidate', () => {
  const names = ['limit', 'cursor', 'customer_id', 'id', 'to'];

  it('has at most two other letters', () => {
    expect(findMisspelled('limt', names)).toBe('limit');
    expect(findMisspelled('custmer_ids', names)).toBe('customer_id');
    expect(findMisspelled('cusrtors', names)).toBeUndefined();
    expect(findMisspelled('page', names)).toBeUndefined();
  });

  it('shares at least half of its letters', () => {
    expect(findMisspelled('od', names)).toBe('id');
    expect(findMisspelled('xy', names)).toBeUndefined();
    expect(findMisspelled('', [])).toBeUndefined();
  });
});
