import { tmpdir } from 'node:os';
import { DiskSpace, UnwritableError } from './disk-space';

const FULL = Number.MAX_SAFE_INTEGER;
const createSystemError = (code: number): Error => Object.assign(new Error('failed'), { code });
const ENOSPC = createSystemError(28);
const EIO = createSystemError(5);

describe('the space on the disk', () => {
  it('refuses a commit before it is tried if too little space is left', () => {
    expect(() => {
      new DiskSpace(tmpdir(), FULL).assertRoomFor(1);
    }).toThrow(UnwritableError);
    expect(() => {
      new DiskSpace(tmpdir(), 0).assertRoomFor(1);
    }).not.toThrow();
  });

  it('reports an I/O error on a full disk as a refused write, after which the server continues', () => {
    const disk = new DiskSpace(tmpdir(), FULL);
    for (const error of [ENOSPC, EIO])
      expect(disk.explainFailure(error)).toBeInstanceOf(UnwritableError);
    const other = createSystemError(1);
    expect(disk.explainFailure(other)).toBe(other);
  });

  it('returns an I/O error unchanged if the disk has room', () => {
    expect(new DiskSpace(tmpdir(), 0).explainFailure(EIO)).toBe(EIO);
  });
});
