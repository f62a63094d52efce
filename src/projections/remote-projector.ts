import type { Siblings } from '../config/siblings';
import type { Projector } from './projector';
import type { RemoteProjector } from './read-your-writes';

const WHEN_PROJECTED = 'when-projected';

interface WaitRequest {
  /** A position of the log as text, because numbers of JSON are not exact at this size. */
  readonly position: string;
  readonly timeoutMs: number;
}

/**
 * Creates access to the projector of a sibling process. A call rejects after its time limit, even if
 * the sibling hangs.
 */
export const createRemoteProjector = (siblings: Siblings): RemoteProjector => ({
  waitUntilProjected: async (position, timeoutMs) => {
    const request: WaitRequest = { position: String(position), timeoutMs };
    const signal = AbortSignal.timeout(timeoutMs);
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
    return BigInt(
      (await Promise.race([siblings.call('projector', WHEN_PROJECTED, request), late])) as string,
    );
  },
});

/** Lets siblings wait for this projector. */
export const answerForProjector = (siblings: Siblings, projector: Projector): void => {
  siblings.answer(WHEN_PROJECTED, async (payload) => {
    const { position, timeoutMs } = payload as WaitRequest;
    if (!projector.isOwner()) throw new Error('This process does not project yet.');
    await projector.waitUntilProjected(BigInt(position), AbortSignal.timeout(timeoutMs));
    return String(projector.projectedTo());
  });
};
