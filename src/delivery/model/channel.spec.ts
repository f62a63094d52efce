import type { DestinationTarget } from '../../domain/destinations/destination-kinds';
import { Channels } from './channel';

const byType = { https_webhook: { name: 'webhook' }, email_fallback: { name: 'mail' } };
const channels = new Channels(byType as unknown as ConstructorParameters<typeof Channels>[0]);

const find = (target: object): unknown => channels.find(target as DestinationTarget);

describe('the channel of a destination', () => {
  it.each(['https_webhook', 'email_fallback'] as const)('is that of its kind %s', (type) => {
    expect(find({ type })).toBe(byType[type]);
  });

  it('is refused for a kind that this version does not know', () => {
    expect(() => find({ type: 'invented' })).toThrow('no channel of the kind invented');
  });
});
