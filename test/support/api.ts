import { loadContract } from './contract';

type Json = Record<string, unknown>;

/** An HTTP response, with the assertions that most tests need. */
export class Answer {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly body: Json,
  ) {}

  get ok(): Json {
    return this.expect(200);
  }

  get created(): Json {
    return this.expect(201);
  }

  /** The items of a list. */
  get data(): Json[] {
    return this.ok['data'] as Json[];
  }

  /** `[status, code, param]` of an error. */
  get refusal(): [number, unknown, unknown] {
    const error = this.body['error'] as Json | undefined;
    return [this.status, error?.['code'], error?.['param']];
  }

  expect(status: number): Json {
    if (this.status === status) return this.body;
    throw new Error(`expected ${status}, got ${this.status}: ${JSON.stringify(this.body)}`);
  }
}

/** Calls the API with one credential; every response is checked against the OpenAPI document. */
export class Api {
  constructor(
    private readonly base: () => string,
    /**
     * An API key or the operator's token. If null, the headers of each call carry the credential.
     */
    private readonly credential: string | null,
  ) {}

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('GET', path, { headers });
  }

  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', path, { body, headers });
  }

  put(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('PUT', path, { body, headers });
  }

  patch(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('PATCH', path, { body, headers });
  }

  delete(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('DELETE', path, { headers });
  }

  async send(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer> {
    const base = this.base();
    const contract = await loadContract(base);
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...(this.credential === null ? {} : { authorization: `Bearer ${this.credential}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = new Answer(
      response.status,
      response.headers,
      text === '' ? {} : (JSON.parse(text) as Json),
    );
    const violation = contract?.findViolation({
      method,
      path: path.split('?')[0] ?? path,
      status: answer.status,
      contentType: answer.headers.get('content-type') ?? '',
      body: answer.body,
    });
    if (violation == null) return answer;
    throw new Error(`${method} ${path} is not as described: ${violation}\n${text.slice(0, 2_000)}`);
  }
}
