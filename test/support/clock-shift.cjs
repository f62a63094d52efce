// Sets the clock of a process back by an hour at SIGUSR2, and right again at the next one. It is
// loaded with --require and changes JavaScript's clock only.
const { isMainThread } = require('node:worker_threads');

const HOUR_MS = 3_600_000;
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

if (isMainThread) {
  globalThis.Date = ShiftedDate;
  process.on('SIGUSR2', () => {
    shiftMs = shiftMs === 0 ? -HOUR_MS : 0;
  });
}
