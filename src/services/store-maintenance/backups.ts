import { readFileSync, rmSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  beginBackup,
  describeOccupied,
  finishBackup,
  forgetBackup,
  makeDirectories,
  writeFlushed,
} from '../../config/backup-files';
import { describeBackupInData } from '../../config/backup-place';
import { locateMasterKey, locateOperatorToken } from '../../config/secrets';
import type { StoreMaintenance } from '../../config/store-maintenance';
import { DomainError } from '../../kernel/errors';
import { fromMillis } from '../../kernel/time';
import { VERSION } from '../../ops/version';

const POLL_MS = 100;
const EVENT_STORE = 'eventstore';
const MASTER_KEY = 'master-key';
const OPERATOR_TOKEN = 'operator-token';

export interface BackupStatus {
  readonly state: 'never_run' | 'running' | 'completed' | 'failed';
  readonly directory: string | null;
  readonly percent: number | null;
  /** The files of a completed backup, relative to the directory. */
  readonly files: readonly string[];
  readonly bytes: number | null;
  readonly error: string | null;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
}

const NEVER_RUN: BackupStatus = {
  state: 'never_run',
  directory: null,
  percent: null,
  files: [],
  bytes: null,
  error: null,
  startedAtMs: null,
  finishedAtMs: null,
};

interface BackupParts {
  readonly maintenance: StoreMaintenance;
  readonly dataDir: string;
  /** True if the service stores its master key in the data directory. */
  readonly keepsMasterKey: boolean;
  /** True if the service stores its operator token in the data directory. */
  readonly keepsOperatorToken: boolean;
  readonly nowMs: () => number;
}

/**
 * Copies the data that a restore needs to a directory while the service runs: the event store as of
 * one instant, and the secrets that the service stores. The SQL database is rebuilt from the log.
 */
export class Backups {
  #status = NEVER_RUN;

  constructor(private readonly parts: BackupParts) {}

  get status(): BackupStatus {
    return this.#status;
  }

  /** Starts a backup to a new or empty directory. The status shows when it has ended. */
  async start(path: string, withMasterKey: boolean): Promise<BackupStatus> {
    const { maintenance, dataDir, nowMs } = this.parts;
    const running = await maintenance.readStatus();
    if (this.#status.state === 'running') throw busyError('Another backup');
    if (running.state === 'running') {
      throw busyError(`A ${String(running.task)} of the event store`);
    }
    const directory = occupyDirectory(path, dataDir);
    const before = this.#status;
    this.#status = { ...NEVER_RUN, state: 'running', directory, startedAtMs: nowMs() };
    try {
      const keysBefore = withMasterKey ? this.readMasterKeys() : null;
      await this.startCopy(directory);
      void this.finish(directory, keysBefore);
    } catch (error) {
      forgetBackup(directory);
      this.#status = before;
      throw error;
    }
    return this.#status;
  }

  private async startCopy(directory: string): Promise<void> {
    const command = { task: 'backup', toDir: join(directory, EVENT_STORE) } as const;
    const { task } = await this.parts.maintenance.start(command);
    if (task !== 'backup') throw busyError(`A ${String(task)} of the event store`);
  }

  private async finish(directory: string, keysBefore: readonly string[] | null): Promise<void> {
    try {
      await this.waitUntilCopied();
      const names = [
        `${EVENT_STORE}/data.mdb`,
        ...this.copyMasterKeys(directory, keysBefore),
        ...this.copyOperatorToken(directory),
      ];
      const { files } = await finishBackup(directory, names, {
        version: VERSION,
        created_at: fromMillis(this.#status.startedAtMs ?? this.parts.nowMs()),
      });
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      this.updateStatus({ state: 'completed', percent: 100, files: names, bytes });
    } catch (error) {
      for (const name of [EVENT_STORE, MASTER_KEY, OPERATOR_TOKEN]) {
        rmSync(join(directory, name), { recursive: true, force: true });
      }
      forgetBackup(directory);
      const message = error instanceof Error ? error.message : String(error);
      this.updateStatus({ state: 'failed', error: message });
    }
  }

  private async waitUntilCopied(): Promise<void> {
    for (;;) {
      const { state, percent, error } = await this.parts.maintenance.readStatus();
      if (state === 'completed') return;
      if (state === 'failed') throw new Error(error ?? 'The event store could not be copied.');
      this.#status = { ...this.#status, percent };
      await delay(POLL_MS);
    }
  }

  /**
   * Copies the master keys. A rotation may begin or end while the store is copied, so the backup
   * contains the keys from before and after it.
   */
  private copyMasterKeys(directory: string, keysBefore: readonly string[] | null): string[] {
    const keysAfter = this.readMasterKeys();
    if (keysBefore === null || keysAfter.length === 0) return [];
    if (!keysAfter.some((key) => keysBefore.includes(key))) {
      throw new Error('The master key was replaced during the backup. Make the backup again.');
    }
    const keys = [...new Set([...keysAfter, ...keysBefore])];
    writeFlushed(join(directory, MASTER_KEY), keys.map((key) => `${key}\n`).join(''));
    return [MASTER_KEY];
  }

  private readMasterKeys(): string[] {
    const { keepsMasterKey, dataDir } = this.parts;
    if (!keepsMasterKey) return [];
    return readFileSync(locateMasterKey(dataDir), 'utf8').trim().split(/\s+/);
  }

  private copyOperatorToken(directory: string): string[] {
    const { keepsOperatorToken, dataDir } = this.parts;
    if (!keepsOperatorToken) return [];
    const token = readFileSync(locateOperatorToken(dataDir), 'utf8');
    writeFlushed(join(directory, OPERATOR_TOKEN), token);
    return [OPERATOR_TOKEN];
  }

  private updateStatus(change: Partial<BackupStatus>): void {
    this.#status = { ...this.#status, ...change, finishedAtMs: this.parts.nowMs() };
  }
}

const busyError = (what: string): DomainError =>
  new DomainError('invalid_state_transition', `${what} is running. Try again when it has ended.`);

/**
 * Creates the directory if it is missing, and marks it as an incomplete backup. Throws if it is not
 * empty or is in the data directory. Returns its path without `..`.
 */
const occupyDirectory = (path: string, dataDir: string): string => {
  if (!isAbsolute(path)) throw refusedError('The directory must be an absolute path.');
  const directory = resolve(path);
  const misplaced = describeBackupInData(directory, dataDir);
  if (misplaced !== null) throw refusedError(misplaced);
  const occupied = writeTo(directory, () => {
    makeDirectories(directory);
    return describeOccupied(directory);
  });
  if (occupied !== null) throw refusedError(occupied);
  writeTo(directory, () => {
    beginBackup(directory);
  });
  return directory;
};

const writeTo = <T>(directory: string, write: () => T): T => {
  try {
    return write();
  } catch (error) {
    throw refusedError(`The service cannot write to ${directory} (${String(readCode(error))}).`);
  }
};

const readCode = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

const refusedError = (message: string): DomainError =>
  new DomainError('parameter_invalid', message, { param: 'directory' });
