import { MasterKey } from '../../event-store/master-key';
import { type ImportLine, parseLine } from './import.lines';
import { type ImportContext, LineDecisions, type LineParts } from './line.decisions';

const masterKey = new MasterKey(new Uint8Array(32));
const decisions = new LineDecisions({ masterKey } as LineParts, {} as ImportContext);

const line = (text: string): ImportLine => parseLine(text);
const LINE = '{"kind":"subscriber","external_id":"a","email":"a@example.com"}';
const SAME_CONTENT = '{"external_id":"a", "email":"a@example.com","kind":"subscriber","tags":[]}';

it('import lines of the same content have the same command id', () => {
  expect(decisions.createCommandId(line(SAME_CONTENT))).toBe(decisions.createCommandId(line(LINE)));
});

it('import lines that an earlier version stored under the id of their text are recognised', () => {
  const stored = masterKey.digest(`import ${LINE}`).subarray(0, 16).toString('hex');
  expect(decisions.createFormerCommandId(line(LINE))).toBe(stored);
  expect(decisions.createCommandId(line(LINE))).not.toBe(stored);
});
