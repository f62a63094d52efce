// Shifts the clock of a process by the milliseconds in the file CLOCK_SHIFT_FILE, which is read at
// the start and at each SIGUSR2. It is loaded with --require and changes JavaScript's clock only, as
// when a machine sleeps: timers that run go on as before.
const { readFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const RealDate = Date;
let shiftMs = 0;

class ShiftedDate extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shiftMs);
    else super(...given);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
}

const readShift = () => {
  shiftMs = Number(readFileSync(process.env.CLOCK_SHIFT_FILE, 'utf8'));
};

if (isMainThread) {
  globalThis.Date = ShiftedDate;
  readShift();
  process.on('SIGUSR2', readShift);
}
