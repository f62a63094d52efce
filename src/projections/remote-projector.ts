import type { Siblings } from '../config/siblings';
import type { Projector } from './projector';
import type { RemoteProjector } from './read-your-writes';

const WHEN_PROJECTED = 'when-projected';

interface Wish {
  /** A position of the log; JSON has no integers of this size. */
  readonly position: string;
  readonly timeoutMs: number;
}

/** The projector of a sibling. A sibling that hangs is given up after the time limit. */
export const createRemoteProjector = (siblings: Siblings): RemoteProjector => ({
  waitUntilProjected: async (position, timeoutMs) => {
    const wish: Wish = { position: String(position), timeoutMs };
    const signal = AbortSignal.timeout(timeoutMs);
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
    return BigInt(
      (await Promise.race([siblings.call('projector', WHEN_PROJECTED, wish), late])) as string,
    );
  },
});

/** Lets siblings wait for this projector. */
export const answerForProjector = (siblings: Siblings, projector: Projector): void => {
  siblings.answer(WHEN_PROJECTED, async (payload) => {
    const { position, timeoutMs } = payload as Wish;
    if (!projector.isOwner()) throw new Error('This process does not project yet.');
    await projector.waitUntilProjected(BigInt(position), AbortSignal.timeout(timeoutMs));
    return String(projector.projectedTo());
  });
};
