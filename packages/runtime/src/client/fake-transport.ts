import type { Transport, TransportRequest, TransportResponse } from './transport/transport.js';

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body chunks, sent one after another. An Error aborts the body. */
  readonly body?: readonly (string | Uint8Array | Error)[];
  /** Error with which the request fails instead of getting a response. */
  readonly fails?: Error;
  readonly hangs?: boolean;
}

/** A scripted server for tests. */
export class FakeTransport implements Transport {
  readonly requests: TransportRequest[] = [];
  closed = false;
  readonly #answers: ScriptedAnswer[];

  constructor(...answers: ScriptedAnswer[]) {
    this.#answers = answers;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    request.signal.throwIfAborted();
    this.requests.push(request);
    const answer = this.#answers.shift() ?? { status: 404, body: ['404 page not found'] };
    if (answer.hangs === true) await untilAborted(request.signal);
    if (answer.fails !== undefined) throw answer.fails;
    return {
      status: answer.status ?? 200,
      headers: new Map(Object.entries(answer.headers ?? {})),
      body: chunks(answer.body ?? ['{}']),
    };
  }

  upgrade(request: TransportRequest): Promise<TransportResponse> {
    return this.send(request);
  }

  close(): void {
    this.closed = true;
  }
}

async function* chunks(parts: readonly (string | Uint8Array | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield typeof part === 'string' ? Buffer.from(part) : part;
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
