import { formatCell, formatTable } from './output';

describe('a table in the output of a command', () => {
  const rows = [
    ['id', 'url'],
    ['dest_1', 'https://example.com/webhooks/of/a/long/path'],
    ['dest_22', 'https://example.com/'],
  ];

  it('aligns its columns', () => {
    expect(formatTable(rows).split('\n')).toEqual([
      'id       url',
      'dest_1   https://example.com/webhooks/of/a/long/path',
      'dest_22  https://example.com/',
    ]);
  });

  it('cuts the widest column to fit the terminal', () => {
    const lines = formatTable(rows, { width: 30 }).split('\n');
    expect(lines[1]).toBe('dest_1   https://example.com/…');
    expect(Math.max(...lines.map((line) => line.length))).toBe(30);
  });

  it('counts an emoji of several code points as one character', () => {
    expect(
      formatTable([
        ['👩‍👩‍👧', 'x'],
        ['ab', 'y'],
      ]),
    ).toBe('👩‍👩‍👧   x\nab  y');
  });

  it.each([
    [null, ''],
    [undefined, ''],
    [12, '12'],
    [false, 'false'],
    [['a', 'b'], 'a, b'],
    [
      { plan: 'pro', ended_at: null, period: { days: 30, reason: null } },
      'plan: pro, period: {days: 30}',
    ],
    [[{ code: 'x' }], 'code: x'],
  ])('shows %j as "%s"', (value, shown) => {
    expect(formatCell(value)).toBe(shown);
  });
});
