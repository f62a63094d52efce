import { MasterKey } from '../../event-store/master-key';
import { type ImportLine, parseLine } from './import.lines';
import { type ImportContext, LineDecisions, type LineParts } from './line.decisions';

const masterKey = new MasterKey(new Uint8Array(32));
const decisions = new LineDecisions({ masterKey } as LineParts, {} as ImportContext);

const line = (text: string): ImportLine => parseLine(text);
const ONE = '{"kind":"subscriber","external_id":"a","email":"a@example.com"}';
const SAME = '{"external_id":"a", "email":"a@example.com","kind":"subscriber","tags":[]}';

it('gives lines of the same content the same command id', () => {
  expect(decisions.createCommandId(line(SAME))).toBe(decisions.createCommandId(line(ONE)));
});

it('recognises lines that an earlier version stored under the id of their text', () => {
  const stored = masterKey.digest(`import ${ONE}`).subarray(0, 16).toString('hex');
  expect(decisions.createFormerCommandId(line(ONE))).toBe(stored);
  expect(decisions.createCommandId(line(ONE))).not.toBe(stored);
});
