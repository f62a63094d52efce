import { Clock, fromMillis, type Instant } from '../kernel/time';

export class SystemClock extends Clock {
  now(): Instant {
    return fromMillis(this.nowMs());
  }

  override nowMs(): number {
    return Date.now();
  }
}
