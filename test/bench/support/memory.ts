import type { MemoryBytes, Service } from '../../support/service';

export const mebibytesOf = (bytes: number): number => Math.round(bytes / 2 ** 20);

const toMebibytes = (bytes: number): string => `${mebibytesOf(bytes)} MiB`;

export const mebibytes = ({ own, resident }: MemoryBytes): string =>
  `${toMebibytes(own)} of its own, ${toMebibytes(resident)} with the mapped pages of the log`;

/**
 * Records the service's memory during a stretch of work. It is flat if the second half adds
 * nothing.
 */
export class MemoryPeak {
  private readonly seen: MemoryBytes[] = [];

  constructor(private readonly service: Service) {
    this.look();
  }

  look(): void {
    this.seen.push(this.service.memory);
  }

  told(): string {
    this.look();
    const half = Math.ceil(this.seen.length / 2);
    return (
      `at most ${mebibytes(this.highest(this.seen))}; of its own ` +
      `${toMebibytes(this.highest(this.seen.slice(0, half)).own)} in the first half, ` +
      `${toMebibytes(this.highest(this.seen.slice(half)).own)} in the second`
    );
  }

  private highest(of: readonly MemoryBytes[]): MemoryBytes {
    return {
      own: Math.max(...of.map(({ own }) => own)),
      resident: Math.max(...of.map(({ resident }) => resident)),
    };
  }
}
