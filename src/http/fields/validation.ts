import {
  type ArgumentMetadata,
  type PipeTransform,
  type ValidationError,
  ValidationPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { suggestNames } from '../../kernel/nearest';
import { DomainError, type ErrorCode, type FieldError } from '../../kernel/errors';

/** Validates every body and query against its DTO. Unknown fields and wrong types are refused. */
export const createValidationPipe = (): PipeTransform => {
  cacheRules();
  const pipe = new ValidationPipe(VALIDATION_OPTIONS);
  const queryPipe = new ValidationPipe({
    ...VALIDATION_OPTIONS,
    exceptionFactory: (errors) =>
      createRefusal(errors.flatMap((error) => listFieldErrors(error, { kind: 'query parameter' }))),
  });
  return {
    transform: (value: unknown, metadata) => {
      if (metadata.type !== 'query') return pipe.transform(value, metadata) as unknown;
      refuseRepeated(value, metadata.metatype);
      return queryPipe.transform(value, metadata) as unknown;
    },
  };
};

/** Refuses a query parameter that is given several times, unless it is a list. */
const refuseRepeated = (query: unknown, type: ArgumentMetadata['metatype']): void => {
  const repeated = Object.entries(query ?? {}).filter(([name, value]) => {
    if (!Array.isArray(value) || type === undefined) return false;
    const declared: unknown = Reflect.getMetadata('design:type', type.prototype as object, name);
    return declared !== undefined && declared !== Array;
  });
  if (repeated.length === 0) return;
  throw createRefusal(
    repeated.map(([param]) => {
      return { param, code: 'parameter_invalid', message: `${param} may be given only once.` };
    }),
  );
};

/** Validates a value by the same rules, outside of the pipe. */
export const validateAs = <Body>(type: new () => Body, value: unknown): Promise<Body> =>
  new ValidationPipe(VALIDATION_OPTIONS).transform(value, {
    type: 'body',
    metatype: type,
  }) as Promise<Body>;

const VALIDATION_OPTIONS: ValidationPipeOptions = {
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
  transform: true,
  transformOptions: { enableImplicitConversion: false, exposeUnsetFields: false },
  stopAtFirstError: true,
  // Rules about several fields (`Finding`) need the object. It is not part of the response.
  validationError: { target: true },
  exceptionFactory: (errors) =>
    createRefusal(errors.flatMap((error) => listFieldErrors(error, { kind: 'field' }))),
};

/**
 * Caches the rules of each class. The library collects the rules of a class and of its parent
 * classes for each object again, which takes half of the time of a validation. The rules do not
 * change after the classes are declared.
 */
const cacheRules = (): void => {
  const storage = getMetadataStorage();
  const gather = storage.getTargetValidationMetadatas.bind(storage);
  const known = new Map<unknown, ReturnType<typeof gather>>();
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    if (schema || always || strictGroups || (groups ?? []).length > 0)
      return gather(target, schema, always, strictGroups, groups);
    const rules = known.get(target) ?? gather(target, schema, always, strictGroups, groups);
    known.set(target, rules);
    return rules;
  };
};

/**
 * The largest number of errors in a response. Without a limit, a body with thousands of wrong
 * fields would cause a response of megabytes.
 */
const ERRORS_MAX = 20;
export const PARAM_CHARS_MAX = 200;

/**
 * Builds one error body for all fields. It lists the first twenty errors; the first one is at the
 * top level (D-80).
 */
export const createRefusal = (found: readonly FieldError[]): DomainError => {
  // The first error of a field counts: a rule about several fields and the field's own rule may both
  // refuse it, within different limits.
  const params = found.map(({ param }) => param);
  const errors = found
    .filter(({ param }, index) => params.indexOf(param) === index)
    .slice(0, ERRORS_MAX);
  const first = errors[0];
  return new DomainError(first?.code ?? 'parameter_invalid', first?.message ?? 'Invalid request.', {
    errors,
    ...(first === undefined ? {} : { param: first.param }),
  });
};

interface Place {
  /** The name for the fields of the input. */
  readonly kind: 'field' | 'query parameter';
  /** The path of the object that has the field; none at the top level. */
  readonly parent?: string;
}

const listFieldErrors = (error: ValidationError, { kind, parent = '' }: Place): FieldError[] => {
  const param = createPath(parent, error.property);
  const own = Object.entries(error.constraints ?? {}).map(([rule, message]) => {
    const context = error.contexts?.[rule] as RuleContext | undefined;
    const found = context?.finding?.(error.target ?? {});
    if (found == null) return createFieldError(error, { rule, message, param, kind });
    const { property, code } = found;
    return { param: createPath(parent, property), code, message: `${found.message}.` };
  });
  return [
    ...own,
    ...(error.children ?? []).flatMap((child) => listFieldErrors(child, { kind, parent: param })),
  ];
};

/**
 * An error that a rule about several fields of an object found. The rule is declared at one field
 * and may report another one.
 */
export interface Finding {
  readonly property: string;
  readonly code: ErrorCode;
  readonly message: string;
}

/** The options of a rule that determine its error. */
export interface RuleContext {
  readonly code?: ErrorCode;
  readonly finding?: (target: object) => Finding | null;
}

/** Returns the path of a field, such as `items[0].name`. */
export const createPath = (parent: string, property: string): string => {
  if (parent === '') return property;
  return /^\d+$/.test(property) ? `${parent}[${property}]` : `${parent}.${property}`;
};

const createFieldError = (
  { property, value, contexts, target }: ValidationError,
  { rule, message, param, kind }: { rule: string; message: string; param: string } & Place,
): FieldError => {
  if (rule === 'whitelistValidation') {
    const parent = param.slice(0, -property.length);
    // The names of fields are in the reference beside the body. A query is often written by hand.
    const listing = kind === 'field' ? {} : { namesMax: Infinity };
    const hint = suggestNames(property, listFields(target), { kind, parent, ...listing });
    return createUnknownField(param, hint, kind);
  }
  if (value === undefined) {
    const [choices] = / must be one of .+/.exec(message) ?? [''];
    const rule = choices === '' ? '' : `: it${choices}`;
    return { param, code: 'parameter_missing', message: `${param} is required${rule}.` };
  }
  const context = contexts?.[rule] as RuleContext | undefined;
  return {
    param,
    code: context?.code ?? 'parameter_invalid',
    // A rule knows only the last part of the name.
    message: `${message.replace(property, () => param)}.`,
  };
};

/** Returns the names of the fields of the object's class. */
const listFields = (target: object | undefined): string[] => {
  if (target === undefined) return [];
  const rules = getMetadataStorage().getTargetValidationMetadatas(
    target.constructor,
    '',
    false,
    false,
  );
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
};

/**
 * Builds the error for an unknown field. The name comes from the client and may be as long as the
 * body, so it is cut. `hint` is the end of the message.
 */
export const createUnknownField = (
  name: string,
  hint = '',
  kind: Place['kind'] = 'field',
): FieldError => {
  const param = name.slice(0, PARAM_CHARS_MAX);
  return { param, code: 'parameter_unknown', message: `${param} is not a known ${kind}.${hint}` };
};
