import { formatCell, formatFields, formatList, formatTable } from './output';

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

describe('the fields of an object in the output of a command', () => {
  const data = { payment: { id: 'pay_1', amount: 900, error: null }, items: [{ plan: 'pro' }] };
  const event = { id: 'evt_1', type: 'payment.failed', data, tags: ['a', 'b'] };
  const names = ['id', 'type', 'data', 'tags', 'missing'];

  it('are a line each', () => {
    expect(formatFields(event, names, 120).split('\n')).toEqual([
      'id    evt_1',
      'type  payment.failed',
      'data  payment: {id: pay_1, amount: 900}, items: [plan: pro]',
      'tags  a, b',
    ]);
  });

  it('are split at each level, also if an object has one field only', () => {
    expect(formatFields({ data: { payment: { id: 'pay_1', amount: 900 } } }, ['data'], 25)).toBe(
      'data.payment.id      pay_1\ndata.payment.amount  900',
    );
  });

  it('are split into their own fields if the line would be longer than the terminal', () => {
    expect(formatFields(event, names, 40).split('\n')).toEqual([
      'id            evt_1',
      'type          payment.failed',
      'data.payment  id: pay_1, amount: 900',
      'data.items    plan: pro',
      'tags          a, b',
    ]);
    expect(formatFields(event, names, 30)).toContain('\ndata.payment.id      pay_1\n');
  });
});

describe('a list in the output of a command', () => {
  const items = [
    {
      id: 'dest_v12qqk8m3w5n7p9r',
      status: 'completed_with_errors',
      name: 'Webhooks of the web shop',
    },
    { id: 'dest_2', status: 'active', name: 'Another' },
  ];
  const names = ['id', 'reason', 'status', 'name'];

  it('shows every id and state whole, and cuts other columns', () => {
    const lines = formatList(items, names, 60).split('\n');
    expect(lines[1]).toBe('dest_v12qqk8m3w5n7p9r  completed_with_errors  Webhooks of t…');
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
      'name    Webhooks of the web shop',
      '',
      'id      dest_2',
      'status  active',
      'name    Another',
    ]);
  });

  it('shows every address and formula whole, so that two that begin alike differ', () => {
    const urls = ['https://example.com/webhooks/1', 'https://example.com/webhooks/2'];
    const shown = formatList(
      urls.map((url) => ({ id: 'dest_v12qqk8m3w5n7p9r', type: 'https_webhook', url })),
      ['id', 'type', 'url'],
      50,
    );
    for (const url of urls) expect(shown).toContain(url);
    const formula = 'active subscriptions ÷ active subscriptions a month before';
    expect(formatList([{ metric: 'x', formula }], ['metric', 'formula'], 40)).toContain(formula);
  });
});
