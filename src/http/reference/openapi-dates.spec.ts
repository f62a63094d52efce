import type { Instant } from '../../kernel/time';
import { checkWindow } from '../../replay/planning/replay.window';
import { LAST_MONTH, THIS_MONTH, replaceDatePlaceholders } from './openapi-dates';

it.each([
  ['2026-03-10T12:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ['2031-01-01T00:00:00.000Z', '2030-12-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z'],
  ['2028-03-31T23:59:59.999Z', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
])('an example made at %s names a month that can be replayed', (now, from, to) => {
  const document = { a: [{ example: LAST_MONTH.start }], b: LAST_MONTH.end, c: 'other', d: [null] };
  expect(replaceDatePlaceholders(document, now as Instant)).toEqual({
    a: [{ example: from }],
    b: to,
    c: 'other',
    d: [null],
  });
  const window = { from: from as Instant, to: to as Instant };
  expect(checkWindow(window, now as Instant)).toBe(to);
});

it('placeholders of dates are replaced inside the text of an example', () => {
  const document = { example: `{"from":"${THIS_MONTH.start}","to":"${THIS_MONTH.end}"}` };
  expect(replaceDatePlaceholders(document, '2026-12-31T12:00:00.000Z' as Instant)).toEqual({
    example: '{"from":"2026-12-01T00:00:00.000Z","to":"2027-01-01T00:00:00.000Z"}',
  });
});
