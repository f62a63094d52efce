import type { Answer, Api } from './api';

type Headers = Readonly<Record<string, string>>;

/** What a browser sends with calls of the page itself. */
const SAME_ORIGIN: Headers = { 'sec-fetch-site': 'same-origin' };

/** A person's browser at the console: keeps the cookie, and says which tenant is open. */
export class ConsoleBrowser {
  private readonly jar = new Map<string, string>();

  constructor(
    private readonly api: Api,
    private readonly place: Headers = {},
    private readonly from: ConsoleBrowser | null = null,
  ) {}

  /** The same browser with a tenant's pages open. */
  in(tenantId: string, environment: 'live' | 'test' = 'test'): ConsoleBrowser {
    const place = { 'x-service-tenant': tenantId, 'x-service-environment': environment };
    return new ConsoleBrowser(this.api, place, this.from ?? this);
  }

  /** Presses the button on the page of a one-time link. */
  async openLink(url: string): Promise<Answer> {
    const token = new URL(url).hash.slice(1);
    return this.send('POST', '/console/v1/session/link', { token });
  }

  get(path: string, headers: Headers = {}): Promise<Answer> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    return this.send('POST', path, body, headers);
  }

  patch(path: string, body: unknown): Promise<Answer> {
    return this.send('PATCH', path, body);
  }

  delete(path: string): Promise<Answer> {
    return this.send('DELETE', path);
  }

  async send(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    const owner = this.from ?? this;
    const answer = await this.api.send(method, path, {
      body,
      headers: {
        ...SAME_ORIGIN,
        ...this.place,
        ...(owner.jar.size === 0 ? {} : { cookie: owner.cookies }),
        ...headers,
      },
    });
    for (const given of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (given.split(';', 1)[0] ?? '').split('=', 2);
      if (value === '') owner.jar.delete(name);
      else owner.jar.set(name, value);
    }
    return answer;
  }

  /** What the browser sends with each request of a page, for tests that send something else. */
  get headers(): Headers {
    return { ...SAME_ORIGIN, ...this.place, cookie: this.cookies };
  }

  /** What the browser would send to sign in with, for tests that steal it. */
  get cookies(): string {
    const { jar } = this.from ?? this;
    return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}
