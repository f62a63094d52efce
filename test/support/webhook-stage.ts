import type { Api } from './api';
import { Receiver } from './receiver';
import { RunningService, Service, type TestTenant } from './service';

type Json = Record<string, unknown>;
type Resource = Json & { readonly id: string };

/** A service with a tenant, and helpers for suites about its webhook destinations. */
export class WebhookStage<Kind extends RunningService = Service> {
  private readonly receivers: Receiver[] = [];

  private constructor(
    readonly service: Kind,
    readonly tenant: TestTenant,
  ) {}

  static async start(env: Readonly<Record<string, string>>): Promise<WebhookStage> {
    const service = await Service.start({ env });
    return new WebhookStage(service, await service.tenant());
  }

  /** Uses the shared service. */
  static async onShared(): Promise<WebhookStage<RunningService>> {
    const service = await RunningService.shared();
    return new WebhookStage<RunningService>(service, await service.tenant());
  }

  /** Returns a stage with a live tenant of its own on the same service. */
  async addLiveTenant(): Promise<WebhookStage<Kind>> {
    return new WebhookStage(this.service, await this.service.tenant('live'));
  }

  get api(): Api {
    return this.tenant.api;
  }

  async addReceiver(): Promise<Receiver> {
    const started = await Receiver.start();
    this.receivers.push(started);
    return started;
  }

  async register(url: string, more: Json = {}): Promise<Resource> {
    const body = { type: 'https_webhook', url, ...more };
    return (await this.api.post('/v1/destinations', body)).created as Resource;
  }

  /** Deletes a destination for good, so that it does not delay later tests. */
  async forget(id: string): Promise<void> {
    (await this.api.delete(`/v1/destinations/${id}?force=true`)).expect(204);
  }

  async createSubscriber(): Promise<string> {
    const { created } = await this.api.post('/v1/subscribers', { email: 'ada@example.com' });
    return created['id'] as string;
  }

  async submitTicket(subscriberId: string, subject = 'Hello'): Promise<string> {
    const body = { subscriber_id: subscriberId, topic: 'other', subject };
    return (await this.api.post('/v1/tickets', body)).created['id'] as string;
  }

  /** Returns the event of a ticket. */
  async findTicketEvent(ticketId: string): Promise<Resource> {
    const { data } = await this.api.get('/v1/events?event_types=ticket.submitted');
    const isOfTicket = (event: Json): boolean =>
      (event['data'] as { ticket: Json }).ticket['id'] === ticketId;
    return data.find(isOfTicket) as Resource;
  }

  async dispose(): Promise<void> {
    if (this.service instanceof Service) await this.service.dispose();
    await Promise.all(this.receivers.map((each) => each.close()));
  }
}
