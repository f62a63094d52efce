import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExtension, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { TSchema } from '@sinclair/typebox';
import type { ErrorCode } from '../../kernel/errors';
import { type AnswerSchema, AddRouteFacts } from './route-facts';

/**
 * The response of an operation, for the API reference and for hiding personal fields. Schemas with
 * a `title` become components of the OpenAPI document (`openapi.ts`).
 */
interface AnswerOptions {
  /**
   * The default is 200. Operations that create an object answer 201, and accepted asynchronous ones
   * 202.
   */
  readonly status?: number;
  readonly description?: string;
}

/**
 * Describes an operation in the API reference: one sentence as a summary, then any further
 * sentences.
 */
export const Does = (summary: string, description?: string): MethodDecorator =>
  ApiOperation({ summary, ...(description === undefined ? {} : { description }) });

/** The objects that belong to a subscriber. Their version is the header `ETag`. */
const VERSIONED = [
  'Credit',
  'MotionRun',
  'Payment',
  'Refund',
  'Subscriber',
  'Subscription',
  'Ticket',
];

export const isVersioned = (title: string | undefined): boolean => VERSIONED.includes(title ?? '');

export const HAS_VERSION = 'x-has-version';

/**
 * Declares whether a write compares `If-Match`. It need not be declared where the response says it:
 * the object of the write has a version if the response has one.
 */
export const HasVersion = (hasVersion: boolean): MethodDecorator =>
  applyDecorators(AddRouteFacts({ hasVersion }), ApiExtension(HAS_VERSION, hasVersion));

const declareAnswer = (
  documented: object,
  schema: AnswerSchema,
  { status = 200, description }: AnswerOptions,
): MethodDecorator =>
  applyDecorators(
    HttpCode(status),
    AddRouteFacts({
      answer: schema,
      hasVersion: !schema.list && isVersioned(schema.schema.title),
    }),
    ApiResponse({ status, description: description ?? '', schema: documented }),
  );

export const Answer = (schema: TSchema, options: AnswerOptions = {}): MethodDecorator =>
  declareAnswer(schema, { schema, list: false }, options);

/** Declares another response of an operation. The handler sets its status. */
export const AlsoAnswer = (
  schema: TSchema,
  { status = 200, description = '' }: AnswerOptions,
): MethodDecorator => ApiResponse({ status, description, schema: { ...(schema as object) } });

/** Declares a response of the list shape: `data`, `has_more`, `next_cursor`, `previous_cursor`. */
export const AnswerPage = (item: TSchema): MethodDecorator =>
  declareAnswer(
    {
      title: `${item.title ?? 'Item'}List`,
      type: 'object',
      required: ['data', 'has_more', 'next_cursor', 'previous_cursor'],
      properties: {
        data: { type: 'array', items: item },
        has_more: { type: 'boolean' },
        next_cursor: {
          anyOf: [{ type: 'string' }, { type: 'null' }],
          description: 'The `starting_after` of the next page.',
        },
        previous_cursor: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
    },
    { schema: item, list: true },
    {},
  );

export const REFUSES = 'x-refuses';

/**
 * Declares the error codes of an operation in addition to those of every operation of its kind
 * (`openapi-errors.ts`).
 */
export const Refuses = (...codes: ErrorCode[]): MethodDecorator => ApiExtension(REFUSES, codes);

/** Declares that an operation redirects the browser. */
export const AnswerRedirect = (description: string): MethodDecorator =>
  ApiResponse({ status: 302, description });

export const AnswerNothing = (): MethodDecorator =>
  applyDecorators(HttpCode(204), ApiResponse({ status: 204, description: '' }));
