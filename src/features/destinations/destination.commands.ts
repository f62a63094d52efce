import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { randomBytes } from 'node:crypto';
import { Aggregates, type DecisionInput } from '../../event-store/aggregates';
import { EventStoreConnection } from '../../event-store/connection';
import { readCategoryHead } from '../../event-store/groups';
import { MasterKey } from '../../event-store/master-key';
import { deliverableStream, streams } from '../../event-store/streams';
import { newId } from '../../kernel/ids';
import type { CommandContext, Scope } from '../../kernel/scope';
import { HOUR_MS, type Instant, plusMs } from '../../kernel/time';
import { DestinationPlaces } from './destination-places';
import {
  type Destination,
  destinationAggregate,
  type DestinationSettings,
  disableDestination,
  enableDestination,
  type KnownDestination,
  registerDestination,
  deleteDestination,
  requireDestination,
  requireUndeleted,
  restoreDestination,
  rotateSecret,
  changeDestination,
} from '../../domain/destinations/destination.decider';
import { DestinationDirectory } from '../../directories/destination.directory';
import { findKind } from '../../domain/destinations/destination-kinds';
import type { DestinationFact } from '../../domain/destinations/destination.events';
import { DestinationRules } from './destination.rules';

const VISIBILITY_TIMEOUT_MS = 5_000;
const SECRET_BYTES = 32;

/**
 * A destination and its signing secret, which is shown once. E-mail destinations have no secret.
 */
export interface DestinationWithSecret {
  readonly destination: KnownDestination;
  readonly signingSecret: string | null;
}

/** The changes that a PATCH request asks for. */
export interface DestinationChange {
  readonly settings: Partial<DestinationSettings>;
  readonly status?: 'active' | 'disabled';
  readonly resumeFromNow: boolean;
}

export class RegisterDestination extends Command<DestinationWithSecret> {
  constructor(
    readonly context: CommandContext,
    readonly scope: Scope,
    readonly settings: DestinationSettings,
  ) {
    super();
  }
}

export class ChangeDestination extends Command<KnownDestination> {
  constructor(
    readonly context: CommandContext,
    readonly destination: KnownDestination,
    readonly change: DestinationChange,
  ) {
    super();
  }
}

export class RotateSecret extends Command<DestinationWithSecret> {
  constructor(
    readonly context: CommandContext,
    readonly destination: KnownDestination,
    readonly overlapHours: number,
  ) {
    super();
  }
}

/** Deletes a destination. The result is null if it was deleted for good. */
export class DeleteDestination extends Command<KnownDestination | null> {
  constructor(
    readonly context: CommandContext,
    readonly destination: KnownDestination,
    readonly force: boolean,
  ) {
    super();
  }
}

export class RestoreDestination extends Command<KnownDestination> {
  constructor(
    readonly context: CommandContext,
    readonly destination: KnownDestination,
  ) {
    super();
  }
}

type Decision = (
  destination: KnownDestination,
  moment: DecisionInput<Destination>,
) => readonly DestinationFact[] | Promise<readonly DestinationFact[]>;

/**
 * Runs decisions on destinations, and returns once the directory of this process contains the
 * result.
 */
export class DestinationWriter {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly directory: DestinationDirectory,
    private readonly masterKey: MasterKey,
  ) {}

  async write(
    context: CommandContext,
    id: string,
    decide: (moment: DecisionInput<Destination>) => ReturnType<Decision>,
  ): Promise<Destination> {
    const stream = streams.destination(id);
    const { state, revision } = await this.aggregates.run(
      destinationAggregate,
      stream,
      context,
      decide,
    );
    await this.directory.waitForRevision(stream.name, revision, VISIBILITY_TIMEOUT_MS);
    return state;
  }

  async change(context: CommandContext, id: string, decide: Decision): Promise<Destination> {
    return this.write(context, id, (moment) =>
      decide(requireDestination(moment.state, moment.now), moment),
    );
  }

  async createSecret(id: string, now: Instant): Promise<KnownDestination['secrets'][number]> {
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    return {
      id: newId('key', (_, bytes) => randomBytes(bytes)),
      wrapped: await this.masterKey.seal(secret, id),
      created_at: now,
      expires_at: null,
    };
  }

  /** Returns the stored secret, so that a repeated command gives the same response. */
  findSecret({ id, secrets }: KnownDestination): string | null {
    const [current] = secrets;
    return current === undefined ? null : this.masterKey.unwrap(current.wrapped, id).toString();
  }
}

@CommandHandler(RegisterDestination)
export class RegisterDestinationHandler implements ICommandHandler<RegisterDestination> {
  constructor(
    private readonly writer: DestinationWriter,
    private readonly connection: EventStoreConnection,
    private readonly rules: DestinationRules,
    private readonly places: DestinationPlaces,
  ) {}

  async execute({ context, scope, settings }: RegisterDestination): Promise<DestinationWithSecret> {
    const { type } = settings.target;
    await this.rules.checkSettings({ type, environment: scope.environment }, settings);
    const id = newId('dest', context.entropy);
    // The last revision of the category stream is read before the registration is stored. So every
    // event after the registration has a later revision than `start_revision`.
    const head = await readCategoryHead(this.connection, deliverableStream(scope));
    await this.places.reserve(context, scope, id);
    const state = await this.writer.write(context, id, async ({ state: destination, now }) =>
      registerDestination({
        ...settings,
        id,
        scope,
        start_revision: head.revision,
        secret: findKind(type).isSigned ? await this.writer.createSecret(id, now) : null,
      })(destination),
    );
    const destination = requireDestination(state, context.now);
    return { destination, signingSecret: this.writer.findSecret(destination) };
  }
}

@CommandHandler(ChangeDestination)
export class ChangeDestinationHandler implements ICommandHandler<ChangeDestination> {
  constructor(
    private readonly writer: DestinationWriter,
    private readonly connection: EventStoreConnection,
    private readonly rules: DestinationRules,
  ) {}

  async execute({ context, destination, change }: ChangeDestination): Promise<KnownDestination> {
    const { id, scope, type } = destination;
    requireUndeleted(destination);
    await this.rules.checkSettings({ type, environment: scope.environment }, change.settings);
    const { status, resumeFromNow } = change;
    const head =
      status === undefined
        ? null
        : await readCategoryHead(this.connection, deliverableStream(scope));
    const state = await this.writer.change(context, id, (current) => [
      ...changeDestination(change.settings)(current),
      ...(status === 'disabled' && head !== null
        ? disableDestination({ reason: 'manual', head })(current)
        : []),
      ...(status === 'active' ? enableDestination(resumeFromNow ? head : null)(current) : []),
    ]);
    return requireDestination(state, context.now);
  }
}

@CommandHandler(RotateSecret)
export class RotateSecretHandler implements ICommandHandler<RotateSecret> {
  constructor(private readonly writer: DestinationWriter) {}

  async execute(command: RotateSecret): Promise<DestinationWithSecret> {
    const {
      context,
      destination: { id },
      overlapHours,
    } = command;
    const state = await this.writer.change(context, id, async (current, { now }) => {
      const secret = await this.writer.createSecret(id, now);
      return rotateSecret(secret, plusMs(now, overlapHours * HOUR_MS))(current);
    });
    const destination = requireDestination(state, context.now);
    return { destination, signingSecret: this.writer.findSecret(destination) };
  }
}

@CommandHandler(DeleteDestination)
export class DeleteDestinationHandler implements ICommandHandler<DeleteDestination> {
  constructor(private readonly writer: DestinationWriter) {}

  async execute({
    context,
    destination: { id },
    force,
  }: DeleteDestination): Promise<KnownDestination | null> {
    const state = await this.writer.change(context, id, (current, { now }) =>
      deleteDestination({ force, now })(current),
    );
    return force ? null : requireDestination(state, context.now);
  }
}

@CommandHandler(RestoreDestination)
export class RestoreDestinationHandler implements ICommandHandler<RestoreDestination> {
  constructor(
    private readonly writer: DestinationWriter,
    private readonly places: DestinationPlaces,
  ) {}

  async execute({ context, destination }: RestoreDestination): Promise<KnownDestination> {
    const { id, scope } = destination;
    await this.places.reserve(context, scope, id);
    const state = await this.writer.change(context, id, restoreDestination());
    return requireDestination(state, context.now);
  }
}
