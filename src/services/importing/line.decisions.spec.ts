import { MasterKey } from '../../event-store/master-key';
import { type ImportLine, parseLine } from './import.lines';
import { type ImportContext, LineDecisions, type LineParts } from './line.decisions';

const masterKey = new MasterKey(new Uint8Array(32));
const decisions = new LineDecisions({ masterKey } as LineParts, {} as ImportContext);

const line = (text: string): ImportLine => parseLine(text);
const ONE = '{"kind":"subscriber","external_id":"a","email":"a@example.com"}';
const SAME = '{"external_id":"a", "email":"a@example.com","kind":"subscriber","tags":[]}';

it('names lines of the same content alike', () => {
  expect(decisions.commandIdOf(line(SAME))).toBe(decisions.commandIdOf(line(ONE)));
});

it('knows what was stored of a line when lines were told apart by their text', () => {
  const stored = masterKey.digest(`import ${ONE}`).subarray(0, 16).toString('hex');
  expect(decisions.formerCommandIdOf(line(ONE))).toBe(stored);
  expect(decisions.commandIdOf(line(ONE))).not.toBe(stored);
});
