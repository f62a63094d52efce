import { Controller, Get, Param, Query } from '@nestjs/common';
import { requirePresent } from '../../kernel/present';
import { ApiTags } from '@nestjs/swagger';
import { SCHEMA_VERSION } from '../../event-store/stored-event';
import { EventCatalogue, toPublishedSchema } from '../../event-store/catalogue';
import type { Json, JsonObject } from '../../kernel/json';
import { Answer, AnswerPage, Does } from '../../http/pipeline/answers';
import { EventReference } from '../../http/reference/event-reference';
import { Requires } from '../../http/pipeline/audience';
import { ShortListQuery } from '../../http/lists/list-query';
import type { Page } from '../../http/lists/pagination';
import { readShortPage } from '../../http/lists/short-list';
import { unknownName } from '../../kernel/errors';
import { EventTypeResource, SchemaVersionResource } from './event-type.dto';

/** Shows the catalogue of event types and its versions (D-65, D-113). */
@ApiTags('Events')
@Controller('v1')
export class EventTypeController {
  constructor(
    private readonly catalogue: EventCatalogue,
    private readonly reference: EventReference,
  ) {}

  @Get('event_types')
  @Does(
    'Lists every event type with the JSON Schema of its data.',
    'Without `limit` the list is one page. The keyword `pii` marks personal fields: `email` is left out and `text` becomes null for receivers in mode `hashed_only`.',
  )
  @Requires('events:read')
  @AnswerPage(EventTypeResource)
  list(@Query() query: ShortListQuery): Promise<Page<EventTypeResource>> {
    return readShortPage(query, {
      name: 'event types',
      items: this.catalogue.listTypes().map((type) => this.describe(type)),
      idOf: ({ type }) => type,
    });
  }

  @Get('event_types/:eventType')
  @Does('Shows an event type with the JSON Schema of its data.')
  @Requires('events:read')
  @Answer(EventTypeResource)
  get(@Param('eventType') type: string): EventTypeResource {
    return this.describe(type);
  }

  @Get('schema_versions')
  @Does(
    'Lists the versions of the catalogue.',
    'Without `limit` the list is one page. A version is announced as deprecated at least twelve months before its sunset.',
  )
  @Requires('events:read')
  @AnswerPage(SchemaVersionResource)
  versions(@Query() query: ShortListQuery): Promise<Page<SchemaVersionResource>> {
    return readShortPage(query, {
      name: 'schema versions',
      items: [{ version: SCHEMA_VERSION, status: 'current' as const, sunset_at: null }],
      idOf: ({ version }) => version,
    });
  }

  private describe(type: string): EventTypeResource {
    const schema = this.catalogue.findSchema(type);
    if (schema === undefined) {
      const known = this.catalogue.listTypes();
      throw unknownName('event_type', 'eventType', { name: type, known });
    }
    const described = this.reference.types.find((each) => each.type === type);
    return {
      type,
      family: type.slice(0, type.indexOf('.')),
      schema_version: SCHEMA_VERSION,
      description: requirePresent(described, 'the description of an event type').when,
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        ...(toPublishedSchema(schema as Json) as JsonObject),
      },
    };
  }
}
