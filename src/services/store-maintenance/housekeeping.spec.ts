import { until } from '../../../test/support/until';
import { Housekeeping } from './housekeeping';
import { log } from '../../ops/log';

describe('housekeeping', () => {
  it('goes on with other data when some cannot be deleted, and names what failed', async () => {
    const warn = jest.spyOn(log, 'warn').mockReturnValue(undefined);
    const stop = new AbortController();
    let pruned = 0;
    const housekeeping = new Housekeeping({
      'audit log': { prune: () => Promise.reject(new Error('no disk')) },
      'test e-mails': { prune: () => Promise.resolve(void (pruned += 1)) },
    });
    const ended = housekeeping.run(stop.signal);
    await until('the other data to be deleted', () => pruned === 1);
    stop.abort();
    await ended;
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]).toEqual([
      { subject: 'audit log', error: 'Error: no disk' },
      expect.stringContaining('too old'),
    ]);
    warn.mockRestore();
  });
});
