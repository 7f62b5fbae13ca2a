import { Agent, request, type RequestOptions } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ServerUnderTest } from './server-under-test.js';

export interface HttpsAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

export interface HttpsCall {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
  /** Whether to omit the client certificate of the administrator. */
  readonly anonymous?: boolean;
}

export interface OpenStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Reads events until `count` have arrived, the stream ends, or none arrives for `patienceMs`. */
  events(count: number, patienceMs: number): Promise<Buffer[]>;
  close(): void;
}

/** Sends a request unchanged over HTTP/1.1 and returns the raw response, without interpretation by a client library. */
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
    const bytes = Buffer.concat(chunks);
    return { status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString('utf8') };
  }

  async stream(call: HttpsCall): Promise<OpenStream> {
    const response = await this.#send(call);
    return new EventStream(response);
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
        // Node does not set a length for the body of a DELETE.
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

class EventStream implements OpenStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly #response: IncomingMessage;
  readonly #events: Buffer[] = [];
  readonly #split: (bytes: Buffer) => number | undefined;
  #rest: Buffer = Buffer.alloc(0);
  #ended = false;
  #wake: () => void = () => {};

  constructor(response: IncomingMessage) {
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    this.#response = response;
    this.#split = /protobuf;stream=watch/.test(response.headers['content-type'] ?? '') ? frameEnd : lineEnd;
    response.on('data', (chunk: Buffer) => this.#take(chunk));
    for (const end of ['end', 'close', 'error']) response.on(end, () => this.#end());
  }

  async events(count: number, patienceMs: number): Promise<Buffer[]> {
    while (this.#events.length < count && !this.#ended) {
      const before = this.#events.length;
      const timer = setTimeout(() => this.#wake(), patienceMs);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      clearTimeout(timer);
      if (this.#events.length === before) break;
    }
    return [...this.#events];
  }

  close(): void {
    this.#response.destroy();
  }

  #take(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (let end = this.#split(this.#rest); end !== undefined; end = this.#split(this.#rest)) {
      this.#events.push(this.#rest.subarray(0, end));
      this.#rest = this.#rest.subarray(end);
    }
    this.#wake();
  }

  #end(): void {
    this.#ended = true;
    this.#wake();
  }
}

function lineEnd(bytes: Buffer): number | undefined {
  const newline = bytes.indexOf(0x0a);
  return newline < 0 ? undefined : newline + 1;
}

/** Returns the end of the first protobuf event, which is preceded by its length in four bytes. */
function frameEnd(bytes: Buffer): number | undefined {
  const end = bytes.length < 4 ? 4 : 4 + bytes.readUInt32BE(0);
  return bytes.length < end ? undefined : end;
}
