import type { Answer } from './api';
import type { TestTenant } from './service';

type Json = Record<string, unknown>;

/** The body of a motion that offers a pause. */
export const SAVE = {
  name: 'Save',
  kind: 'cancel_save',
  offer: { type: 'pause', days: 30 },
};

/** Creates a motion, activates it and returns its id. `motion` replaces fields of `SAVE`. */
export const createActiveMotion = async (
  { api }: TestTenant,
  motion: Json = {},
): Promise<string> => {
  const { id } = (await api.post('/v1/motions', { ...SAVE, ...motion })).created;
  (await api.post(`/v1/motions/${id as string}/activate`)).expect(200);
  return id as string;
};

export const triggerMotion = (
  { api }: TestTenant,
  motionId: string,
  subscriberId: string,
  more: Json = {},
): Promise<Answer> =>
  api.post(`/v1/motions/${motionId}/trigger`, { subscriber_id: subscriberId, ...more });

export const reportOutcome = ({ api }: TestTenant, run: Json, outcome: string): Promise<Answer> =>
  api.post(`/v1/motion_runs/${run['id'] as string}/outcome`, { outcome });
