import { createPageDocument } from './page-document';

describe('the document of the reference page', () => {
  const choice = { $ref: '#/components/schemas/Effective' };
  const page = createPageDocument({
    paths: {
      '/v1/things/{thingId}/end': {
        post: {
          operationId: 'things.end',
          description: 'Ends it.',
          parameters: [
            { name: 'thingId', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'days', in: 'query', description: 'How long.', schema: { default: 3 } },
            { name: 'email', in: 'query', example: 'ada@example.com', schema: { example: 'a' } },
            {
              name: 'from',
              in: 'query',
              description: 'The start.',
              schema: { format: 'date-time' },
            },
            { name: 'currency', in: 'query', schema: { $ref: '#/components/schemas/Code' } },
          ],
          requestBody: {
            content: { 'application/json': { example: { note: "it's over", tags: ['a'] } } },
          },
          responses: { '204': { description: 'Done.' } },
        },
      },
      '/operator/v1/things': { get: { operationId: 'operator.things.list', responses: {} } },
    },
    components: {
      schemas: {
        Code: { type: 'string', example: 'USD' },
        Choice: {
          type: 'object',
          properties: { a: {}, b: {} },
          oneOf: [{ required: ['a'] }],
          not: {},
        },
        EndBody: {
          properties: {
            effective: { ...choice, default: 'now', description: 'When it ends.' },
            count: { type: 'integer', default: 0 },
            told: { type: 'string', default: 'x', description: 'Text. Default: x.' },
            default: { type: 'string', description: 'A property of this name.' },
          },
        },
      },
    },
  }) as unknown as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
    components: { schemas: { Choice: unknown; EndBody: { properties: Record<string, unknown> } } };
  };

  it('shows the call of the client beside each operation of tenants', () => {
    expect(page.paths['/v1/things/{thingId}/end']?.['post']?.['x-codeSamples']).toEqual([
      {
        lang: 'typescript',
        label: 'SDK',
        source: expect.stringContaining(
          "await service.things.end('<thingId>', { note: 'it\\'s over', tags: ['a'] });",
        ) as unknown,
      },
    ]);
    const { description } = page.paths['/v1/things/{thingId}/end']?.['post'] ?? {};
    expect(description).toBe('Ends it.\n\nIn the TypeScript client: `things.end`.');
    const operator = page.paths['/operator/v1/things']?.['get'];
    expect(operator).not.toHaveProperty('x-codeSamples');
  });

  it('sends no example of an optional parameter when a call is tried out', () => {
    const parameters = page.paths['/v1/things/{thingId}/end']?.['post']?.['parameters'];
    expect(parameters).toContainEqual({ name: 'email', in: 'query', schema: {} });
    const currency = { name: 'currency', in: 'query', schema: { type: 'string' } };
    expect(parameters).toContainEqual(currency);
    const description = 'The start. A date-time such as `2026-03-10T12:00:00Z`.';
    expect(parameters).toContainEqual({ name: 'from', in: 'query', description, schema: {} });
  });

  it('shows the properties of a body instead of the rules about their combination', () => {
    expect(page.components.schemas.Choice).toEqual({
      type: 'object',
      properties: { a: {}, b: {} },
    });
  });

  it('says the default of each property and parameter, also of a reference', () => {
    expect(page.components.schemas.EndBody.properties).toEqual({
      effective: { ...choice, default: 'now', description: 'When it ends. Default: `now`.' },
      count: { type: 'integer', default: 0, description: 'Default: `0`.' },
      told: { type: 'string', default: 'x', description: 'Text. Default: x.' },
      default: { type: 'string', description: 'A property of this name.' },
    });
    expect(page.paths['/v1/things/{thingId}/end']?.['post']?.['parameters']).toContainEqual(
      expect.objectContaining({ name: 'days', description: 'How long. Default: `3`.' }),
    );
  });
});
