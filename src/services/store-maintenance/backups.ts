import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { finishBackup, writeFlushed } from '../../config/backup-files';
import { masterKeyFile, operatorTokenFile } from '../../config/secrets';
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
  /** Whether the service keeps its master key in the data directory. */
  readonly keepsMasterKey: boolean;
  /** Whether the service keeps its operator token in the data directory. */
  readonly keepsOperatorToken: boolean;
  readonly nowMs: () => number;
}

/**
 * Copies what a restore needs into a directory while the service goes on: the event store as it was
 * at one moment, and the secrets that the service keeps itself. The SQL database is rebuilt from the log.
 */
export class Backups {
  #status = NEVER_RUN;

  constructor(private readonly parts: BackupParts) {}

  get status(): BackupStatus {
    return this.#status;
  }

  /** Starts a backup into a new or empty directory. Its status tells when it has ended. */
  async start(directory: string, withMasterKey: boolean): Promise<BackupStatus> {
    const { maintenance, nowMs } = this.parts;
    if (this.#status.state === 'running') throw busy('Another backup');
    const running = await maintenance.status();
    if (running.state === 'running') throw busy(`A ${String(running.task)} of the event store`);
    makeEmptyDirectory(directory);
    const keysBefore = withMasterKey ? this.masterKeys() : [];
    const started = { task: 'backup', toDir: join(directory, EVENT_STORE) } as const;
    const { task } = await maintenance.start(started);
    if (task !== 'backup') throw busy(`A ${String(task)} of the event store`);
    this.#status = { ...NEVER_RUN, state: 'running', directory, startedAtMs: nowMs() };
    void this.finish(directory, withMasterKey ? keysBefore : null);
    return this.#status;
  }

  private async finish(directory: string, keysBefore: readonly string[] | null): Promise<void> {
    try {
      await this.storeCopied();
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
      this.advance({ state: 'completed', percent: 100, files: names, bytes });
    } catch (error) {
      for (const name of [EVENT_STORE, MASTER_KEY, OPERATOR_TOKEN]) {
        rmSync(join(directory, name), { recursive: true, force: true });
      }
      const message = error instanceof Error ? error.message : String(error);
      this.advance({ state: 'failed', error: message });
    }
  }

  private async storeCopied(): Promise<void> {
    for (;;) {
      const { state, percent, error } = await this.parts.maintenance.status();
      if (state === 'completed') return;
      if (state === 'failed') throw new Error(error ?? 'The event store could not be copied.');
      this.#status = { ...this.#status, percent };
      await delay(POLL_MS);
    }
  }

  /**
   * A rotation of the master key may begin or end while the store is copied, so the backup has the
   * keys from before and from after it.
   */
  private copyMasterKeys(directory: string, keysBefore: readonly string[] | null): string[] {
    const keysAfter = this.masterKeys();
    if (keysBefore === null || keysAfter.length === 0) return [];
    if (!keysAfter.some((key) => keysBefore.includes(key))) {
      throw new Error('The master key was replaced during the backup. Make the backup again.');
    }
    const keys = [...new Set([...keysAfter, ...keysBefore])];
    writeFlushed(join(directory, MASTER_KEY), keys.map((key) => `${key}\n`).join(''));
    return [MASTER_KEY];
  }

  private masterKeys(): string[] {
    const { keepsMasterKey, dataDir } = this.parts;
    if (!keepsMasterKey) return [];
    return readFileSync(masterKeyFile(dataDir), 'utf8').trim().split(/\s+/);
  }

  private copyOperatorToken(directory: string): string[] {
    const { keepsOperatorToken, dataDir } = this.parts;
    if (!keepsOperatorToken) return [];
    const token = readFileSync(operatorTokenFile(dataDir), 'utf8');
    writeFlushed(join(directory, OPERATOR_TOKEN), token);
    return [OPERATOR_TOKEN];
  }

  private advance(change: Partial<BackupStatus>): void {
    this.#status = { ...this.#status, ...change, finishedAtMs: this.parts.nowMs() };
  }
}

const busy = (what: string): DomainError =>
  new DomainError('invalid_state_transition', `${what} is under way. Try again when it has ended.`);

const makeEmptyDirectory = (directory: string): void => {
  if (!isAbsolute(directory)) throw refused('The directory must be an absolute path.');
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw refused(`The service cannot make the directory (${String(codeOf(error))}).`);
  }
  if (existsSync(directory) && readdirSync(directory).length > 0) {
    throw refused('The directory is not empty. Name a new one for each backup.');
  }
};

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

const refused = (message: string): DomainError =>
  new DomainError('parameter_invalid', message, { param: 'directory' });
