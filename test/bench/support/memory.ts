import type { MemoryBytes, Service } from '../../support/service';

export const toMebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

const formatBytes = (bytes: number): string => `${toMebibytes(bytes)} MiB`;

export const formatMebibytes = ({ own, resident }: MemoryBytes): string =>
  `${formatBytes(own)} of its own, ${formatBytes(resident)} with the mapped pages of the log`;

/**
 * Records the service's memory during a stretch of work. It is flat if the second half adds
 * nothing.
 */
export class MemoryPeak {
  private readonly seen: MemoryBytes[] = [];

  constructor(private readonly service: Service) {
    this.recordMemory();
  }

  recordMemory(): void {
    this.seen.push(this.service.memory);
  }

  describePeak(): string {
    this.recordMemory();
    const half = Math.ceil(this.seen.length / 2);
    return (
      `at most ${formatMebibytes(this.findHighest(this.seen))}; of its own ` +
      `${formatBytes(this.findHighest(this.seen.slice(0, half)).own)} in the first half, ` +
      `${formatBytes(this.findHighest(this.seen.slice(half)).own)} in the second`
    );
  }

  private findHighest(of: readonly MemoryBytes[]): MemoryBytes {
    return {
      own: Math.max(...of.map(({ own }) => own)),
      resident: Math.max(...of.map(({ resident }) => resident)),
    };
  }
}
