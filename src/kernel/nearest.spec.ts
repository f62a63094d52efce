import { findMeant, findNearest, suggestNames } from './nearest';

describe('the nearest of several names', () => {
  const types = ['payment.failed', 'payment.refunded', 'subscription.paused'];

  it('is the one with the fewest changed letters', () => {
    expect(findNearest('payment.faild', types)).toBe('payment.failed');
    expect(findNearest('subscripton.pause', types)).toBe('subscription.paused');
    expect(findNearest('payment.refunded', types)).toBe('payment.refunded');
    expect(findNearest('payment.failed', [])).toBeUndefined();
  });
});

describe('the candidate that a wrong name means', () => {
  const names = ['limit', 'cursor', 'customer_id', 'plan_id', 'id', 'to', 'from_at', 'from_day'];

  it('has at most two other letters', () => {
    expect(findMeant('limt', names)).toBe('limit');
    expect(findMeant('custmer_ids', names)).toBe('customer_id');
    expect(findMeant('cusrtors', names)).toBeUndefined();
    expect(findMeant('page', names)).toBeUndefined();
  });

  it('shares at least half of its letters', () => {
    expect(findMeant('od', names)).toBe('id');
    expect(findMeant('xy', names)).toBeUndefined();
    expect(findMeant('', [])).toBeUndefined();
  });

  it('is the same name written in another style', () => {
    for (const name of ['customerId', 'customerID', 'CustomerId', 'customer-id', 'Customer Id'])
      expect(findMeant(name, names)).toBe('customer_id');
    expect(findMeant('custmerId', names)).toBe('customer_id');
  });

  it('is the only name with one word less', () => {
    expect(findMeant('cursor_id', names)).toBe('cursor');
    expect(findMeant('limitMax', names)).toBe('limit');
    expect(findMeant('page_id', names)).toBeUndefined();
  });

  it('is the only name that begins with the word, in the singular or the plural', () => {
    expect(findMeant('events', ['event_types', 'url', 'eventual'])).toBe('event_types');
    expect(findMeant('tags', ['tag_list_of_all'])).toBeUndefined();
    expect(findMeant('events', ['event_types', 'event_count_max'])).toBeUndefined();
  });

  it('is the only name with one more word', () => {
    expect(findMeant('plan', names)).toBe('plan_id');
    expect(findMeant('customer', names)).toBe('customer_id');
    expect(findMeant('from', names)).toBeUndefined();
    expect(findMeant('', names)).toBeUndefined();
    expect(findMeant('plan', ['to_plan', 'proration_date'])).toBe('to_plan');
    expect(findMeant('method', ['payment_method', 'shipping_method'])).toBeUndefined();
    expect(findMeant('to_plan', ['plan'])).toBeUndefined();
  });
});

describe('the end of a message about an unknown name', () => {
  const names = Array.from({ length: 12 }, (_, index) => `name_number_${index}`);

  it('has the name that was probably meant, with the path of its object', () => {
    expect(suggestNames('limt', ['limit'])).toBe(' Did you mean limit?');
    expect(suggestNames('nmae', ['name'], { parent: 'a[0].' })).toBe(' Did you mean a[0].name?');
  });

  it('lists at most twelve names', () => {
    expect(suggestNames('x', names)).toBe(` The fields are ${names.join(', ')}.`);
    expect(suggestNames('x', ['mrr'], { kind: 'metric' })).toBe(' The only metric is mrr.');
    expect(suggestNames('x', [...names, 'name_number_12'])).toBe('');
  });
});
