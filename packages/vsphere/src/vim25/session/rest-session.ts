import { RestError, VimConnectionError } from '../errors.js';
import { addressText, type HttpRequest, type HttpResponse, type ServerConnection } from '../http/index.js';
import { LoginGuard } from './login-guard.js';
import type { CallOptions, Credentials } from './soap-session.js';

export interface RestRequest {
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly body?: unknown;
}

const sessionPath = '/rest/com/vmware/cis/session';
const sessionHeader = 'vmware-api-session-id';

/** REST client of the same vCenter. Its session is separate from the SOAP session, and expires independently. */
export class RestSession {
  readonly #connection: ServerConnection;
  readonly #credentials: Credentials;
  readonly #guard: LoginGuard;
  #id: string | undefined;

  constructor(connection: ServerConnection, credentials: Credentials) {
    this.#connection = connection;
    this.#credentials = credentials;
    this.#guard = new LoginGuard(connection.clock);
  }

  /** Sends a request and returns the `value` of the response. */
  async call(request: RestRequest, options: CallOptions = {}): Promise<unknown> {
    await this.#ensureLogin();
    const id = this.#id;
    let response = await this.#send(request, options);
    if (response.status === 401) {
      if (this.#id === id) this.#id = undefined;
      await this.#ensureLogin();
      response = await this.#send(request, options);
    }
    return this.#valueOf(response, request);
  }

  async logout(): Promise<void> {
    if (this.#id === undefined) return;
    try {
      await this.#send({ method: 'DELETE', path: sessionPath }, {});
    } finally {
      this.#id = undefined;
    }
  }

  #ensureLogin(): Promise<void> {
    if (this.#id !== undefined) return Promise.resolve();
    return this.#guard.run(
      () => this.#login(),
      (error) => error instanceof RestError && error.status === 401,
    );
  }

  async #login(): Promise<void> {
    const { username, password } = this.#credentials;
    const request = { method: 'POST', path: sessionPath } as const;
    const response = await this.#connection.send({
      ...request,
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        'vmware-use-header-authn': 'true',
      },
    });
    const id = this.#valueOf(response, request);
    if (typeof id !== 'string') throw new VimConnectionError('unavailable', `${this.#server} returned no REST session`);
    this.#id = id;
  }

  #send({ method, path, body }: RestRequest, options: CallOptions): Promise<HttpResponse> {
    return this.#connection.send({
      method,
      path,
      headers: {
        ...(this.#id === undefined ? {} : { [sessionHeader]: this.#id }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...options,
    });
  }

  #valueOf({ status, text }: HttpResponse, { method, path }: RestRequest): unknown {
    const answer = parseJson(text);
    if (status >= 200 && status < 300) return isRecord(answer) ? answer['value'] : undefined;
    const subject = `${method} ${path.split('?', 1)[0]} on ${this.#server}`;
    if (status === 503) throw new VimConnectionError('unavailable', `${subject}: HTTP status 503`);
    throw new RestError(status, `${subject}: ${messagesOf(answer) ?? `HTTP status ${status}`}`);
  }

  get #server(): string {
    return addressText(this.#connection.address);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Returns the messages of a vCenter error: `{type, value: {messages: [{default_message}]}}`. */
function messagesOf(answer: unknown): string | undefined {
  if (!isRecord(answer)) return undefined;
  const { type, value } = answer;
  const messages = isRecord(value) && Array.isArray(value['messages']) ? (value['messages'] as unknown[]) : [];
  const texts = messages.flatMap((message) =>
    isRecord(message) && typeof message['default_message'] === 'string' ? [message['default_message']] : [],
  );
  if (texts.length > 0) return texts.join('; ');
  return typeof type === 'string' ? type : undefined;
}
