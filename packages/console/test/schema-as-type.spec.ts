import { nameType, writeType } from '../src/pages/developer/schema-as-type';

describe('the TypeScript type of an event', () => {
  it('has optional fields, unions, lists and nested objects', () => {
    const schema = {
      type: 'object',
      required: ['id', 'plan'],
      properties: {
        id: { type: 'string' },
        amount: { type: ['integer', 'null'] },
        plan: { anyOf: [{ enum: ['pro', 'team'] }, { type: 'null' }] },
        tags: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
        payment: { type: 'object', properties: { final: { const: true } } },
        metadata: { type: 'object' },
      },
    };
    expect(writeType(schema)).toBe(
      [
        '{',
        '  id: string;',
        '  amount?: number | null;',
        '  plan: "pro" | "team" | null;',
        '  tags?: (string | null)[];',
        '  payment?: {',
        '    final?: true;',
        '  };',
        '  metadata?: Record<string, unknown>;',
        '}',
      ].join('\n'),
    );
  });

  it('has the name of the event type', () => {
    expect(nameType('subscription.plan_changed')).toBe('SubscriptionPlanChanged');
  });
});
