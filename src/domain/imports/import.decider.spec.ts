import { noon, scenario } from '../../../test/support/given';
import { failImport, importAggregate, interruptUpload } from './import.decider';
import type { ImportFact } from './import.events';

const created: ImportFact = {
  type: 'import.created',
  data: { id: 'imp_1', tenant_id: 'tnt_1', environment: 'live', deliver: false },
};
const accepted: ImportFact = { type: 'import.accepted', data: { lines_total: 1, chunks: 1 } };
const started: ImportFact = { type: 'import.started', data: { worker: 'w' } };
const failed = (reason: string): ImportFact => ({
  type: 'import.failed',
  data: { reason, finished_at: noon },
});

const { given } = scenario(importAggregate);
const breaks = failImport('internal_error', noon);

describe('an import', () => {
  it('that cannot be processed fails, started or not', () => {
    given(created, accepted)
      .when(breaks)
      .then([failed('internal_error')]);
    given(created, accepted, started)
      .when(breaks)
      .then([failed('internal_error')]);
  });

  it('fails once', () => {
    given(created, accepted, failed('internal_error')).when(breaks).then([]);
  });

  it('can be interrupted only before its upload is complete', () => {
    given(created)
      .when(interruptUpload(noon))
      .then([failed('upload_interrupted')]);
    given(created, accepted).when(interruptUpload(noon)).then([]);
  });
});
