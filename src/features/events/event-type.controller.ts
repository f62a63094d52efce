import { requirePresent } from '../../kernel/present';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SCHEMA_VERSION } from '../../event-store/stored-event';
import { EventCatalogue, toPublishedSchema } from '../../event-store/catalogue';
import type { Json, JsonObject } from '../../kernel/json';
import { Answer, AnswerPage, Does } from '../../http/pipeline/answers';
import { EventReference } from '../../http/reference/event-reference';
import { Requires } from '../../http/pipeline/audience';
import type { Page } from '../../http/lists/pagination';
import { notFound } from '../../kernel/errors';
import { EventTypeResource, SchemaVersionResource } from './event-type.dto';

/**
 * Shows the catalogue of event types and its versions (D-65, D-113). Both lists are short, so each
 * is one page.
 */
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
    'The keyword `pii` marks personal fields: `email` is left out and `text` becomes null for receivers in mode `hashed_only`.',
  )
  @Requires('events:read')
  @AnswerPage(EventTypeResource)
  list(): Page<EventTypeResource> {
    return toWhole(this.catalogue.listTypes().map((type) => this.describe(type)));
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
    'A version is announced as deprecated at least twelve months before its sunset.',
  )
  @Requires('events:read')
  @AnswerPage(SchemaVersionResource)
  versions(): Page<SchemaVersionResource> {
    return toWhole([{ version: SCHEMA_VERSION, status: 'current', sunset_at: null }]);
  }

  private describe(type: string): EventTypeResource {
    const schema = this.catalogue.findSchema(type);
    if (schema === undefined) throw notFound('event_type', 'eventType');
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

const toWhole = <Item>(data: readonly Item[]): Page<Item> => ({
  data,
  has_more: false,
  next_cursor: null,
  previous_cursor: null,
});
