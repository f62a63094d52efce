// Writes the generated files of the SDK anew, from the OpenAPI document of the sources.
import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, emitFiles } from '../packages/sdk/scripts/emit';
import { createDocument } from '../src/wiring/reference-document';

const folder = process.argv[2] ?? join(__dirname, '../packages/sdk/src/generated');

const generate = async (): Promise<void> => {
  const files = await emitFiles((await createDocument()) as unknown as Document);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
};

generate().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
