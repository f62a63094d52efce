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
  const data = {
    payment: { id: 'pay_1', amount: 900, error: null },
    lines: [{ plan: 'pro' }, { plan: 'basic' }],
    failure: {},
  };
  const event = { id: 'evt_1', type: 'payment.failed', data, tags: ['a', 'b'] };
  const names = ['id', 'type', 'data', 'tags', 'missing'];

  it('are a line each, with those of inner objects indented below its name', () => {
    expect(formatFields(event, names).split('\n')).toEqual([
      'id          evt_1',
      'type        payment.failed',
      'data',
      '  payment',
      '    id      pay_1',
      '    amount  900',
      '  lines[0]',
      '    plan    pro',
      '  lines[1]',
      '    plan    basic',
      'tags        a, b',
    ]);
  });

  it('continue below on a narrow terminal, with every word whole', () => {
    const body = { id: 'evt_1', last_error: 'no response from https://example.com within 15 s' };
    expect(formatFields(body, ['id', 'last_error'], 32).split('\n')).toEqual([
      'id          evt_1',
      'last_error  no response from',
      '            https://example.com',
      '            within 15 s',
    ]);
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
    const block = formatList([{ metric: 'x', formula }], ['metric', 'formula'], 40);
    expect(block.replaceAll(/\n +/g, ' ')).toContain(formula);
  });
});
