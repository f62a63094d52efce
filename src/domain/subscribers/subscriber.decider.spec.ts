import { noon, scenario } from '../../../test/support/given';
import { DAY_MS, plusMs } from '../../kernel/time';
import {
  subscriberAggregate,
  type SubscriberStreamFact,
} from '../subscriber-stream/subscriber.aggregate';
import {
  eraseSubscriber,
  observeEngagement,
  removeSubscriber,
  updateSubscriber,
} from './subscriber.decider';

const created: SubscriberStreamFact = {
  type: 'subscriber.created',
  data: {
    email: 'ada@example.com',
    external_id: null,
    tags: ['a', 'b'],
    metadata: { city: 'Paris', shoe: '44' },
    test_clock: null,
    actor: 'api',
  },
};

const { given } = scenario(subscriberAggregate);
const updated = (data: object) => [{ type: 'subscriber.updated', data: { ...data, actor: 'api' } }];

describe('changing a subscriber', () => {
  it('replaces all tags, or adds and removes some', () => {
    given(created)
      .when(updateSubscriber({ tags: ['c', 'c'] }, 'api'))
      .then(updated({ previous: { tags: ['a', 'b'] }, tags: ['c'] }));
    given(created)
      .when(updateSubscriber({ tagsAdd: ['c', 'a'], tagsRemove: ['b'] }, 'api'))
      .then(updated({ previous: { tags: ['a', 'b'] }, tags: ['a', 'c'] }));
  });

  it('merges metadata, and null deletes a key', () => {
    given(created)
      .when(updateSubscriber({ metadata: { city: 'Rome', shoe: null } }, 'api'))
      .then(
        updated({
          previous: { metadata: { city: 'Paris', shoe: '44' } },
          metadata: { city: 'Rome' },
        }),
      );
  });

  it('states nothing if nothing changes', () => {
    const same = {
      email: 'ada@example.com',
      tags: ['a', 'b'],
      metadata: { city: 'Paris', x: null },
    };
    given(created).when(updateSubscriber(same, 'api')).then([]);
    given(created).when(updateSubscriber({}, 'api')).then([]);
  });

  it('is refused above the limits for tags and metadata', () => {
    const many = Array.from({ length: 49 }, (_, i) => `t${i}`);
    given(created)
      .when(updateSubscriber({ tagsAdd: many }, 'api'))
      .thenRefused('parameter_invalid');
    const metadata = Object.fromEntries(many.map((key) => [key, 'x']));
    given(created).when(updateSubscriber({ metadata }, 'api')).thenRefused('parameter_invalid');
  });
});

describe('the engagement score', () => {
  const observed: SubscriberStreamFact = {
    type: 'subscriber.updated',
    data: { previous: {}, engagement_score: 50, observed_at: noon, actor: 'api' },
  };

  it('is the last observed one', () => {
    const later = plusMs(noon, DAY_MS);
    given(created, observed)
      .when(observeEngagement({ score: 70, observedAt: later }, later, 'api'))
      .then(
        updated({
          previous: { engagement_score: 50 },
          engagement_score: 70,
          observed_at: later,
        }),
      );
  });

  it('ignores an earlier observation and a repeated one', () => {
    given(created, observed)
      .when(observeEngagement({ score: 1, observedAt: plusMs(noon, -1) }, noon, 'api'))
      .then([]);
    given(created, observed)
      .when(observeEngagement({ score: 50, observedAt: noon }, noon, 'api'))
      .then([]);
  });

  it('is observed now by default, and never in the future', () => {
    given(created)
      .when(observeEngagement({ score: 70, observedAt: null }, noon, 'api'))
      .thenLike([{ data: { engagement_score: 70, observed_at: noon } }]);
    given(created)
      .when(observeEngagement({ score: 70, observedAt: plusMs(noon, 1) }, noon, 'api'))
      .thenRefused('parameter_invalid');
  });

  it('is corrected by another score of the same instant', () => {
    given(created, observed)
      .when(observeEngagement({ score: 1, observedAt: noon }, noon, 'api'))
      .then(
        updated({
          previous: { engagement_score: 50 },
          engagement_score: 1,
          observed_at: noon,
        }),
      );
  });
});

describe('erasing a subscriber', () => {
  const erased: SubscriberStreamFact = {
    type: 'subscriber.erased',
    data: { erased_at: noon, actor: 'api' },
  };

  it('is stated once', () => {
    given(created).when(eraseSubscriber(noon, 'api')).then([erased]);
    given(created, erased)
      .when(eraseSubscriber(plusMs(noon, 1), 'api'))
      .then([]);
    given().when(eraseSubscriber(noon, 'api')).thenRefused('resource_not_found');
  });

  it('removes all personal data and refuses later commands', () => {
    const { state } = given(created, erased);
    expect(state.profile).toMatchObject({ status: 'erased', email: null, tags: [], metadata: {} });
    given(created, erased)
      .when(updateSubscriber({ tags: [] }, 'api'))
      .thenRefused('subscriber_erased');
  });
});

describe('removing a subscriber', () => {
  const removed = (erasedAt = noon): SubscriberStreamFact => ({
    type: 'subscriber.erased',
    data: { erased_at: erasedAt, removed: true, actor: 'system' },
  });

  it('is stated once, even if the subscriber was erased before', () => {
    const later = plusMs(noon, 1);
    given(created).when(removeSubscriber(noon, 'system')).then([removed()]);
    given(created, { type: 'subscriber.erased', data: { erased_at: noon, actor: 'api' } })
      .when(removeSubscriber(later, 'system'))
      .then([removed()]);
    given(created, removed()).when(removeSubscriber(later, 'system')).then([]);
    given().when(removeSubscriber(noon, 'system')).thenRefused('resource_not_found');
  });

  it('leaves no subscriber that commands can find', () => {
    const none = given(created, removed());
    expect(none.state).toEqual({
      ...subscriberAggregate.initialState(),
      profile: none.state.profile,
      changedAt: noon,
    });
    none.when(updateSubscriber({ tags: [] }, 'api')).thenRefused('resource_not_found');
    none.when(eraseSubscriber(noon, 'api')).thenRefused('resource_not_found');
  });
});
