import { completeBodies } from './openapi-bodies';
import type { Node } from './openapi-node';

const takes = (name: string): Node => ({
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  },
});

const document = completeBodies({
  paths: {
    '/v1/things': { post: takes('CreateBody'), get: { responses: {} } },
    '/v1/things/{thingId}': { patch: takes('ChangeBody') },
    '/v1/things/{thingId}/end': { post: takes('EndBody') },
    '/v1/things/{thingId}/move': { post: takes('MoveBody') },
  },
  components: {
    schemas: {
      CreateBody: { required: ['name'], properties: { kind: { default: 'plain' } } },
      ChangeBody: { properties: { kind: { type: 'string', default: 'plain' } } },
      EndBody: { properties: { at: { default: 'now' } } },
      MoveBody: { oneOf: [{ required: ['to'] }, { required: ['by'] }] },
    },
  },
}) as {
  paths: Record<string, Record<string, { requestBody?: { required?: boolean } }>>;
  components: { schemas: Record<string, Node> };
};

describe('the bodies of the document', () => {
  it('may be left out if the schema accepts an empty object', () => {
    const isRequired = (path: string, method: string): boolean =>
      document.paths[path]?.[method]?.requestBody?.required ?? false;
    expect(isRequired('/v1/things', 'post')).toBe(true);
    expect(isRequired('/v1/things', 'get')).toBe(false);
    expect(isRequired('/v1/things/{thingId}', 'patch')).toBe(false);
    expect(isRequired('/v1/things/{thingId}/end', 'post')).toBe(false);
    expect(isRequired('/v1/things/{thingId}/move', 'post')).toBe(true);
  });

  it('have no defaults in a PATCH, because a field that is left out keeps its value', () => {
    expect(document.components.schemas['ChangeBody']).toEqual({
      properties: { kind: { type: 'string' } },
    });
    expect(document.components.schemas['EndBody']).toEqual({
      properties: { at: { default: 'now' } },
    });
  });
});
