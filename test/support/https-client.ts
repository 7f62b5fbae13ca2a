import { Agent, request, type RequestOptions } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ServerUnderTest } from './server-under-test.js';

export interface HttpsAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface HttpsCall {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
  /** Without the administrator's certificate. */
  readonly anonymous?: boolean;
}

export interface OpenStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Lines until there are `count` of them or the stream ends or falls silent for `patienceMs`. */
  lines(count: number, patienceMs: number): Promise<string[]>;
  close(): void;
}

/** Says exactly what it is told over HTTP/1.1 and gives back what came, without a library's opinion in between. */
export class HttpsClient {
  readonly #server: ServerUnderTest;
  readonly #admin: Agent;
  readonly #anonymous: Agent;

  constructor(server: ServerUnderTest) {
    this.#server = server;
    const ca = server.certificateAuthority;
    this.#admin = new Agent({ keepAlive: true, ca, cert: server.clientCertificate, key: server.clientKey });
    this.#anonymous = new Agent({ keepAlive: true, ca });
  }

  async call(call: HttpsCall): Promise<HttpsAnswer> {
    const response = await this.#send(call);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text: Buffer.concat(chunks).toString('utf8'),
    };
  }

  async stream(call: HttpsCall): Promise<OpenStream> {
    const response = await this.#send(call);
    return new LineStream(response);
  }

  close(): void {
    this.#admin.destroy();
    this.#anonymous.destroy();
  }

  #send(call: HttpsCall): Promise<IncomingMessage> {
    const options: RequestOptions = {
      method: call.method,
      agent: call.anonymous === true ? this.#anonymous : this.#admin,
      headers: {
        'user-agent': 'differential/1.0 (test)',
        // Node frames no body of a DELETE by itself.
        ...(call.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(call.body)) }),
        ...(call.headers as Record<string, string>),
      },
    };
    return new Promise((resolve, reject) => {
      const outgoing = request(`${this.#server.url}${call.path}`, options, resolve);
      outgoing.on('error', reject);
      outgoing.end(call.body);
    });
  }
}

class LineStream implements OpenStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly #response: IncomingMessage;
  readonly #lines: string[] = [];
  #rest = '';
  #ended = false;
  #wake: () => void = () => {};

  constructor(response: IncomingMessage) {
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    this.#response = response;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.#take(chunk));
    for (const end of ['end', 'close', 'error']) response.on(end, () => this.#end());
  }

  async lines(count: number, patienceMs: number): Promise<string[]> {
    while (this.#lines.length < count && !this.#ended) {
      const before = this.#lines.length;
      const timer = setTimeout(() => this.#wake(), patienceMs);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      clearTimeout(timer);
      if (this.#lines.length === before) break;
    }
    return [...this.#lines];
  }

  close(): void {
    this.#response.destroy();
  }

  #take(chunk: string): void {
    const parts = (this.#rest + chunk).split('\n');
    this.#rest = parts.pop() ?? '';
    this.#lines.push(...parts);
    this.#wake();
  }

  #end(): void {
    this.#ended = true;
    this.#wake();
  }
}
