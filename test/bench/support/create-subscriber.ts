import type { Pool } from 'undici';
import type { TestTenant } from '../../support/service';

interface Client {
  readonly pool: Pool;
  readonly tenant: TestTenant;
}

let subscribers = 0;

/** Returns a request that creates the next subscriber; it throws if the response is not 201. */
export const createSubscriber =
  ({ pool, tenant }: Client) =>
  async (): Promise<void> => {
    subscribers += 1;
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/v1/subscribers',
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: `reader-${subscribers}@example.com`, tags: ['bench'] }),
    });
    await body.dump();
    if (statusCode !== 201) throw new Error(`void: a request was answered ${statusCode}`);
  };
