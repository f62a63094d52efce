import 'reflect-metadata';
import {
  EventStoreDBClient,
  jsonEvent,
  type PersistentSubscriptionToStream,
  type PersistentSubscriptionToStreamResolvedEvent,
  persistentSubscriptionToStreamSettingsFromDefaults,
  START,
} from '@eventstore/db-client';
import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AddressGuard } from '../../../src/delivery/webhook/address-guard';
import { Sender } from '../../../src/delivery/webhook/sender';
import { startEmbeddedEventStore } from '@subscription-event-service/embedded-eventstore';
import { decodeBase64Natively } from '../../../src/event-store/native-base64';
import { runClosedLoop } from './load';

const [receiverUrl = ''] = process.argv.slice(2);
const STREAMS = 200;
const CATEGORY = '$ce-bare';
/**
 * The service's limits: deliveries in flight to one destination, events without an ack, and events
 * acked together.
 */
const IN_FLIGHT = 100;
const OUTSTANDING = 1_000;
const ACKED_TOGETHER = 50;
const APPENDS_AT_ONCE = 256;
/** A text of the size of an event. */
const TEXT = 'x'.repeat(700);

type Data = Record<string, unknown>;
type Handed = PersistentSubscriptionToStreamResolvedEvent;

let client: EventStoreDBClient;
let written = 0;
let subscription: PersistentSubscriptionToStream | undefined;

const append = async (data: Data): Promise<void> => {
  written += 1;
  await client.appendToStream(
    `bare-${written % STREAMS}`,
    jsonEvent({ type: 'bare', data, metadata: { at: '2026-01-01T00:00:00.000Z' } }),
  );
};

@Controller()
class BareController {
  @Get('constant')
  constant(): object {
    return { object: 'constant' };
  }

  @Post('events')
  async accept(@Body() data: Data): Promise<object> {
    await append(data);
    return { object: 'event' };
  }
}

@Module({ controllers: [BareController] })
class BareModule {}

const sender = new Sender({
  timeoutMs: 15_000,
  connectTimeoutMs: 5_000,
  guard: new AddressGuard(true),
});

/**
 * Sends the events of a new group, from the start of the log, and acks those that were answered.
 */
const deliver = async (group: string): Promise<void> => {
  await subscription?.unsubscribe();
  const settings = persistentSubscriptionToStreamSettingsFromDefaults({
    startFrom: START,
    resolveLinkTos: true,
  });
  await client.createPersistentSubscriptionToStream(CATEGORY, group, settings);
  const source = client.subscribeToPersistentSubscriptionToStream(CATEGORY, group, {
    bufferSize: OUTSTANDING,
  });
  subscription = source;
  const waiting: Handed[] = [];
  let answered: Handed[] = [];
  let running = 0;
  const send = async (handed: Handed): Promise<void> => {
    running += 1;
    await sender.send({
      url: receiverUrl,
      headers: { 'content-type': 'application/json', 'webhook-id': handed.event?.id ?? '' },
      body: JSON.stringify(handed.event?.data),
    });
    running -= 1;
    answered.push(handed);
    if (answered.length >= ACKED_TOGETHER || running === 0) {
      void source.ack(...answered);
      answered = [];
    }
    pump();
  };
  const pump = (): void => {
    while (running < IN_FLIGHT && waiting.length > 0) void send(waiting.shift()!);
  };
  source.on('data', (handed: Handed) => {
    waiting.push(handed);
    pump();
  });
};

/** A task from the parent process. */
export type BareTask = { readonly deliver: string } | { readonly append: number };

const perform = async (task: BareTask): Promise<void> => {
  if ('deliver' in task) return deliver(task.deliver);
  const { seconds } = await runClosedLoop(task.append, APPENDS_AT_ONCE, () =>
    append({ text: TEXT }),
  );
  process.send?.(task.append / seconds);
};

/** Prints its address, then executes its tasks. */
const main = async (): Promise<void> => {
  const dir = mkdtempSync(join(tmpdir(), 'bare-'));
  process.on('disconnect', () => {
    rmSync(dir, { recursive: true, force: true });
    process.exit(0);
  });
  const store = await startEmbeddedEventStore({ dir });
  decodeBase64Natively();
  client = EventStoreDBClient.connectionString(store.connectionString);
  const app = await NestFactory.create<NestFastifyApplication>(BareModule, new FastifyAdapter(), {
    logger: false,
  });
  await app.listen(0, '127.0.0.1');
  process.on('message', (task: BareTask) => void perform(task));
  process.send?.(await app.getUrl());
};

void main();
