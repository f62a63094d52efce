import type { Answer, Api } from './api';

type Headers = Readonly<Record<string, string>>;

/** The headers that a browser sends with calls of the page itself. */
const SAME_ORIGIN: Headers = { 'sec-fetch-site': 'same-origin' };

/** A person's browser at the console. It keeps the cookies and names the tenant that is open. */
export class ConsoleBrowser {
  private readonly jar = new Map<string, string>();

  constructor(
    private readonly api: Api,
    private readonly place: Headers = {},
    private readonly from: ConsoleBrowser | null = null,
  ) {}

  /** Returns the same browser with a tenant's pages open. */
  openTenant(tenantId: string, environment: 'live' | 'test' = 'test'): ConsoleBrowser {
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

  /** The headers of each request of a page, for tests that send something else. */
  get headers(): Headers {
    return { ...SAME_ORIGIN, ...this.place, cookie: this.cookies };
  }

  /** The session cookies of the browser, for tests that steal them. */
  get cookies(): string {
    const { jar } = this.from ?? this;
    return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}
