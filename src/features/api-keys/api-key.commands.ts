import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import type { CommandContext, Environment } from '../../kernel/scope';
import { HOUR_MS, type Instant, plusMs } from '../../kernel/time';
import {
  type ApiKey,
  apiKeyAggregate,
  changeKey,
  createKey,
  expireKey,
  type KeyChange,
  type KnownApiKey,
  requireKey,
  requireUsableKey,
  revokeKey,
} from '../../domain/api-keys/api-key.decider';
import { ApiKeyDirectory } from '../../directories/api-key.directory';
import type { ApiKeyFact } from '../../domain/api-keys/api-key.events';
import { generateKey } from './key-format';

const VISIBILITY_TIMEOUT_MS = 5_000;

/** A key and its full text, which is shown once. */
export interface IssuedKey {
  readonly key: KnownApiKey;
  readonly text: string;
}

interface KeyFields {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Instant | null;
  readonly allowedIps: readonly string[] | null;
}

export class IssueApiKey extends Command<IssuedKey> {
  constructor(
    readonly context: CommandContext,
    readonly fields: KeyFields,
  ) {
    super();
  }
}

export class RotateApiKey extends Command<IssuedKey> {
  constructor(
    readonly context: CommandContext,
    readonly key: KnownApiKey,
    readonly options: { readonly overlapHours: number; readonly expiresAt: Instant | null },
  ) {
    super();
  }
}

export class ChangeApiKey extends Command<KnownApiKey> {
  constructor(
    readonly context: CommandContext,
    readonly keyId: string,
    readonly change: KeyChange,
  ) {
    super();
  }
}

export class RevokeApiKey extends Command<KnownApiKey> {
  constructor(
    readonly context: CommandContext,
    readonly keyId: string,
  ) {
    super();
  }
}

/**
 * Stores new and changed keys, and returns once this process uses the change: it accepts a new key
 * and refuses a revoked one.
 */
export class KeyWriter {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly directory: ApiKeyDirectory,
  ) {}

  /**
   * Creates a key. If an earlier run of the command stored a key but could not answer, the secret
   * of that key is lost, so it is revoked.
   */
  async issue(context: CommandContext, fields: KeyFields): Promise<IssuedKey> {
    for (let run = 0; ; run += 1) {
      const own = run === 0 ? context : createNthRun(context, run);
      const made = generateKey(fields.environment, own.entropy);
      const { state } = await this.aggregates.load(apiKeyAggregate, streams.apiKey(made.id));
      if (state.status === 'absent') {
        const key = await this.write(own, made.id, createKey({ ...fields, ...made }));
        return { key, text: made.text };
      }
      // If the key is not from this command, another key has the same short id by chance.
      const isOurs = state.tenantId === fields.tenantId && state.createdAt === context.now;
      if (context.resumed && isOurs) await this.revokeLost(own, state.id);
    }
  }

  private async revokeLost(context: CommandContext, keyId: string): Promise<void> {
    const revoking = { ...context, commandId: `${context.commandId} lost`, resumed: false };
    await this.write(revoking, keyId, revokeKey(context.now));
  }

  async write(
    context: CommandContext,
    keyId: string,
    decide: (key: ApiKey) => readonly ApiKeyFact[],
  ): Promise<KnownApiKey> {
    const stream = streams.apiKey(keyId);
    const { state, revision } = await this.aggregates.run(
      apiKeyAggregate,
      stream,
      context,
      (moment) => decide(moment.state),
    );
    await this.directory.waitForRevision(stream.name, revision, VISIBILITY_TIMEOUT_MS);
    return requireKey(state);
  }
}

const createNthRun = (context: CommandContext, run: number): CommandContext => ({
  ...context,
  commandId: `${context.commandId} ${run}`,
  entropy: (label, bytes) => context.entropy(`${label} ${run}`, bytes),
});

@CommandHandler(IssueApiKey)
export class IssueApiKeyHandler implements ICommandHandler<IssueApiKey> {
  constructor(private readonly writer: KeyWriter) {}

  execute({ context, fields }: IssueApiKey): Promise<IssuedKey> {
    return this.writer.issue(context, fields);
  }
}

@CommandHandler(RotateApiKey)
export class RotateApiKeyHandler implements ICommandHandler<RotateApiKey> {
  constructor(private readonly writer: KeyWriter) {}

  /** Creates the new key first: if the command is cut off after that, the old key stays valid. */
  async execute({ context, key, options }: RotateApiKey): Promise<IssuedKey> {
    requireUsableKey(key, context.now);
    const issued = await this.writer.issue(context, { ...key, expiresAt: options.expiresAt });
    const end = plusMs(context.now, options.overlapHours * HOUR_MS);
    await this.writer.write(context, key.id, expireKey(end));
    return issued;
  }
}

@CommandHandler(ChangeApiKey)
export class ChangeApiKeyHandler implements ICommandHandler<ChangeApiKey> {
  constructor(private readonly writer: KeyWriter) {}

  execute({ context, keyId, change: wanted }: ChangeApiKey): Promise<KnownApiKey> {
    return this.writer.write(context, keyId, changeKey(wanted, context.now));
  }
}

@CommandHandler(RevokeApiKey)
export class RevokeApiKeyHandler implements ICommandHandler<RevokeApiKey> {
  constructor(private readonly writer: KeyWriter) {}

  execute({ context, keyId }: RevokeApiKey): Promise<KnownApiKey> {
    return this.writer.write(context, keyId, revokeKey(context.now));
  }
}
