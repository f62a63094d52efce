import { StatusLine } from './status-line';

const createLine = (isTTY: boolean, isSilent = false) => {
  const state = { nowMs: 0, text: '' };
  const output = { isTTY, write: (text: string) => (state.text += text) };
  return { state, line: new StatusLine({ isSilent, output, nowMs: () => state.nowMs }) };
};

describe('the progress of a command', () => {
  it('is written over itself on a terminal, with its bar', () => {
    const { state, line } = createLine(true);
    line.show('10 % of it', '█░');
    line.show('done', '██');
    line.end();
    expect(state.text).toBe('\r█░ 10 % of it\r██ done      \n');
  });

  it('keeps a note above itself on a terminal', () => {
    const { state, line } = createLine(true);
    line.show('10 %');
    line.note('It waits.');
    line.end();
    expect(state.text).toBe('\r10 %\rIt waits.\n\r10 %\n');
  });

  it('is a plain line now and then, and the last one, in a file or a pipe', () => {
    const { state, line } = createLine(false);
    for (let percent = 0; percent <= 100; percent += 1) {
      line.show(`${percent} %`, '█');
      state.nowMs += 250;
    }
    line.end();
    expect(state.text).toBe('40 %\n80 %\n100 %\n');
  });

  it('is not written again in a file or a pipe while nothing has changed', () => {
    const { state, line } = createLine(false);
    for (let seconds = 0; seconds <= 60; seconds += 1) {
      line.show(seconds < 50 ? '0 %' : '1 %');
      state.nowMs += 1_000;
    }
    line.end();
    expect(state.text).toBe('0 %\n1 %\n');
  });

  it('is not repeated at the end if it has not changed', () => {
    const { state, line } = createLine(false);
    state.nowMs = 10_000;
    line.show('50 %');
    line.end();
    line.end();
    expect(state.text).toBe('50 %\n');
  });

  it.each([true, false])('is silent with --json (terminal: %s)', (isTTY) => {
    const { state, line } = createLine(isTTY, true);
    state.nowMs = 10_000;
    line.show('50 %');
    line.note('It waits.');
    line.end();
    expect(state.text).toBe('');
  });
});
