import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OperatorTokenDirectory } from '../../directories/operator-token.directory';
import {
  createToken,
  expireToken,
  type KnownOperatorToken,
  type OperatorToken,
  operatorTokenAggregate,
  requireToken,
  requireWorkingToken,
  revokeToken,
} from '../../domain/operator-tokens/operator-token.decider';
import type { OperatorTokenFact } from '../../domain/operator-tokens/operator-token.events';
import type { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import type { CommandContext } from '../../kernel/scope';
import { HOUR_MS, type Instant, plusMs } from '../../kernel/time';
import { generateToken } from './token-format';

const VISIBILITY_TIMEOUT_MS = 5_000;

/** A token and its text, which is shown only once. */
export interface IssuedToken {
  readonly token: KnownOperatorToken;
  readonly text: string;
}

interface TokenFields {
  readonly name: string;
  readonly expiresAt: Instant | null;
}

export class CreateOperatorToken extends Command<IssuedToken> {
  constructor(
    readonly context: CommandContext,
    readonly fields: TokenFields,
  ) {
    super();
  }
}

export class RotateOperatorToken extends Command<IssuedToken> {
  constructor(
    readonly context: CommandContext,
    readonly tokenId: string,
    readonly options: { readonly overlapHours: number; readonly expiresAt: Instant | null },
  ) {
    super();
  }
}

export class RevokeOperatorToken extends Command<KnownOperatorToken> {
  constructor(
    readonly context: CommandContext,
    readonly tokenId: string,
  ) {
    super();
  }
}

/** Writes tokens and waits until this process knows the change. */
export class OperatorTokenWriter {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly directory: OperatorTokenDirectory,
  ) {}

  /**
   * Stores a new token. If a command was cut off after it stored a token, the secret of that token
   * is lost, so the repeat revokes it and makes another one.
   */
  async issue(context: CommandContext, fields: TokenFields): Promise<IssuedToken> {
    for (let run = 0; ; run += 1) {
      const own = run === 0 ? context : deriveContext(context, run);
      const made = generateToken(own.entropy);
      const stream = streams.operatorToken(made.id);
      const { state } = await this.aggregates.load(operatorTokenAggregate, stream);
      if (state.status === 'absent') {
        const token = await this.write(own, made.id, createToken({ ...fields, ...made }));
        return { token, text: made.text };
      }
      const revoking = { ...own, commandId: `${own.commandId} lost`, resumed: false };
      await this.write(revoking, state.id, revokeToken(context.now));
    }
  }

  async load(tokenId: string): Promise<KnownOperatorToken> {
    const stream = streams.operatorToken(tokenId);
    return requireToken((await this.aggregates.load(operatorTokenAggregate, stream)).state);
  }

  async write(
    context: CommandContext,
    tokenId: string,
    decide: (token: OperatorToken) => readonly OperatorTokenFact[],
  ): Promise<KnownOperatorToken> {
    const stream = streams.operatorToken(tokenId);
    const { state, revision } = await this.aggregates.run(
      operatorTokenAggregate,
      stream,
      context,
      (moment) => decide(moment.state),
    );
    await this.directory.waitForRevision(stream.name, revision, VISIBILITY_TIMEOUT_MS);
    return requireToken(state);
  }
}

const deriveContext = (context: CommandContext, run: number): CommandContext => ({
  ...context,
  commandId: `${context.commandId} ${run}`,
  entropy: (label, bytes) => context.entropy(`${label} ${run}`, bytes),
});

@CommandHandler(CreateOperatorToken)
export class CreateOperatorTokenHandler implements ICommandHandler<CreateOperatorToken> {
  constructor(private readonly writer: OperatorTokenWriter) {}

  execute({ context, fields }: CreateOperatorToken): Promise<IssuedToken> {
    return this.writer.issue(context, fields);
  }
}

@CommandHandler(RotateOperatorToken)
export class RotateOperatorTokenHandler implements ICommandHandler<RotateOperatorToken> {
  constructor(private readonly writer: OperatorTokenWriter) {}

  /** Makes the new token first: if the process dies in between, the old token still works. */
  async execute({ context, tokenId, options }: RotateOperatorToken): Promise<IssuedToken> {
    const token = await this.writer.load(tokenId);
    requireWorkingToken(token, context.now);
    const { name } = token;
    const issued = await this.writer.issue(context, { name, expiresAt: options.expiresAt });
    const end = plusMs(context.now, options.overlapHours * HOUR_MS);
    await this.writer.write(context, tokenId, expireToken(end));
    return issued;
  }
}

@CommandHandler(RevokeOperatorToken)
export class RevokeOperatorTokenHandler implements ICommandHandler<RevokeOperatorToken> {
  constructor(private readonly writer: OperatorTokenWriter) {}

  execute({ context, tokenId }: RevokeOperatorToken): Promise<KnownOperatorToken> {
    return this.writer.write(context, tokenId, revokeToken(context.now));
  }
}
