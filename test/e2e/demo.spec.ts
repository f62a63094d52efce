import { playDemo } from '../../src/demo/scenario';
import { RunningService } from '../support/service';

describe('the demo', () => {
  it('plays to its end, with every delivery verified and every event replayed', async () => {
    const { url, operatorToken } = await RunningService.shared();
    const lines: string[] = [];
    const { ok } = await playDemo({ url, operatorToken }, (line) => lines.push(line));
    expect([ok, lines.filter((line) => line.includes('NOT'))]).toEqual([true, []]);
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^(\d+) deliveries arrived, \1 verified by the SDK and by standardwebhooks/,
      ),
    );
  });
});
