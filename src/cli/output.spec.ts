import { formatCell, formatList, formatTable } from './output';

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

describe('a list in the output of a command', () => {
  const items = [
    {
      id: 'dest_v12qqk8m3w5n7p9r',
      status: 'completed_with_errors',
      url: 'https://example.com/hook',
    },
    { id: 'dest_2', status: 'active', url: 'https://example.com/' },
  ];
  const names = ['id', 'reason', 'status', 'url'];

  it('shows every id and state whole, and cuts other columns', () => {
    const lines = formatList(items, names, 60).split('\n');
    expect(lines[1]).toBe('dest_v12qqk8m3w5n7p9r  completed_with_errors  https://examp…');
    expect(Math.max(...lines.map((line) => line.length))).toBe(60);
  });

  it('leaves out columns without a value only if there is no room', () => {
    expect(formatList(items, names, 60)).not.toContain('reason');
    expect(formatList(items, names)).toContain('reason');
  });

  it('becomes a block for each item if ids and states do not fit beside each other', () => {
    expect(formatList(items, names, 40).split('\n')).toEqual([
      'id      dest_v12qqk8m3w5n7p9r',
      'status  completed_with_errors',
      'url     https://example.com/hook',
      '',
      'id      dest_2',
      'status  active',
      'url     https://example.com/',
    ]);
  });
});
