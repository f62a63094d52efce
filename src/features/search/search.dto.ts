import { type Static, Type } from '@sinclair/typebox';
import { nullable } from '../../domain/schema/fields';
import { Text } from '../../http/fields/fields';

export class OperatorSearchQuery {
  @Text({
    max: 255,
    example: 'evt_0k3v9c2m8x7q1z5n',
    description:
      'A whole id of any object, a part of the name of a tenant, or a whole e-mail address.',
  })
  readonly q!: string;
}

export class SearchQuery {
  @Text({
    max: 255,
    example: 'customer-4711',
    description:
      'A whole id of any object, your own id of a subscriber, or a whole e-mail address.',
  })
  readonly q!: string;
}

export const SearchResult = Type.Object(
  {
    type: Type.String({ description: 'The kind of the object, such as `subscriber` or `event`.' }),
    id: Type.String(),
    title: Type.String({
      description: 'A name of the object for people; its id where it has none.',
    }),
    subscriber_id: nullable(
      Type.String({ description: 'The subscriber that the object belongs to; null without one.' }),
    ),
  },
  { title: 'SearchResult' },
);
export type SearchResult = Static<typeof SearchResult>;

export const SearchResults = Type.Object(
  { data: Type.Array(SearchResult, { description: 'The objects that were found.' }) },
  { title: 'SearchResults' },
);
export type SearchResults = Static<typeof SearchResults>;

const TenantSearchResult = Type.Object(
  {
    tenant_id: Type.String(),
    environment: nullable(
      Type.String({ description: 'The environment; null for an object that belongs to none.' }),
    ),
    ...SearchResult.properties,
  },
  { title: 'TenantSearchResult' },
);

export const TenantSearchResults = Type.Object(
  {
    data: Type.Array(TenantSearchResult, {
      description: 'The objects that were found, at most 100.',
    }),
  },
  { title: 'TenantSearchResults' },
);
export type TenantSearchResults = Static<typeof TenantSearchResults>;
