import { seedHistory } from '../support/seed';
import type { TestTenant } from '../support/service';
import { until } from '../support/until';
import { describeConsole } from './support/describe-console';

const EVENTS = 100_000;
const SUBSCRIBERS = 200;
const DAY_MS = 86_400_000;
/** Rows that the table draws at once, whatever the list holds. */
const DRAWN_MAX = 120;
const WAIT_LIMIT_MS = 900_000;

describeConsole(
  'a list of 100,000 events',
  (running) => {
    let tenant: TestTenant;

    beforeAll(async () => {
      const { service } = running();
      tenant = await service.tenant();
      const toMs = Date.now();
      await seedHistory(service, tenant, {
        subscribers: SUBSCRIBERS,
        events: EVENTS,
        fromMs: toMs - DAY_MS,
        toMs,
      });
      await until(
        'all events in the read models',
        async () => {
          const path = `/operator/v1/usage?tenant_id=${tenant.id}`;
          const [usage] = (await service.operator.get(path)).data;
          return Number((usage?.['test'] as Record<string, unknown>)['events']) >= EVENTS;
        },
        WAIT_LIMIT_MS,
      );
    });

    it('scrolls from the first row to the last and draws only those that can be seen', async () => {
      const visitor = await running().member(tenant, '/events');
      const seen = await visitor.page.evaluate<{ drawn: number; rows: number; slowestMs: number }>(
        `new Promise((resolve) => {
        let drawn = 0;
        let slowestMs = 0;
        let before = performance.now();
        const step = (now) => {
          slowestMs = Math.max(slowestMs, now - before);
          before = now;
          drawn = Math.max(drawn, document.querySelectorAll('tbody tr').length);
          const rows = Number(document.querySelector('table').getAttribute('aria-rowcount'));
          if (rows >= ${EVENTS}) return resolve({ drawn, rows, slowestMs });
          scrollTo(0, document.body.scrollHeight);
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      })`,
      );
      expect(seen.rows).toBeGreaterThanOrEqual(EVENTS);
      expect(seen.drawn).toBeLessThanOrEqual(DRAWN_MAX);
      console.warn(`the slowest frame took ${Math.round(seen.slowestMs)} ms`);
      await visitor.page.evaluate('scrollTo(0, 0)');
      await visitor.page.locator('tbody tr').nth(1).waitFor();
      await visitor.close();
      expect(visitor.complaints).toEqual([]);
    });
  },
  WAIT_LIMIT_MS,
);
