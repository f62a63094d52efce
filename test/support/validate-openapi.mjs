// This program checks the OpenAPI document on standard input with two validators that share no
// code, and measures the types that a generator makes of it. It prints the result as JSON. It is a
// program of its own because these libraries are ES modules.
import { text } from 'node:stream/consumers';
import { compileErrors, validate } from '@readme/openapi-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import openapiTypescript, { astToString } from 'openapi-typescript';

const source = await text(process.stdin);
const readmeResult = await validate(JSON.parse(source));
const seriousmeResult = await new Validator().validate(JSON.parse(source));
const types = astToString(await openapiTypescript(JSON.parse(source), { silent: true }));

process.stdout.write(
  JSON.stringify({
    readme: readmeResult.valid ? [] : [compileErrors(readmeResult)],
    seriousme: seriousmeResult.valid ? [] : seriousmeResult.errors,
    lines: types.split('\n').length,
  }),
);
