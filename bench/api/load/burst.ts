import { type CallResult, type LoadClient, openHttp1, openHttp2 } from './client.js';
import type { Burst, BurstResult } from './protocol.js';
import { quantile } from './statistics.js';

/** Keeps `concurrency` requests in flight until the count or the time limit is reached. */
export async function runBurst(burst: Burst): Promise<BurstResult> {
  const open = burst.http1 === true ? openHttp1 : openHttp2;
  const client = open(burst.connection, burst.concurrency);
  try {
    await openConnections(client, burst.concurrency);
    return await new BurstRun(burst, client).run();
  } finally {
    client.close();
  }
}

/** Opens connections before the measurement, so that it does not include TLS handshakes. */
async function openConnections(client: LoadClient, concurrency: number): Promise<void> {
  const call = { method: 'GET', path: '/version', headers: {} };
  const one = (): Promise<void> => new Promise((resolve) => client.call(call, () => resolve()));
  await Promise.all(Array.from({ length: concurrency }, one));
}

class BurstRun {
  readonly #headers: Record<string, string>;
  readonly #latencies: number[] = [];
  #started = 0;
  #inFlight = 0;
  #bytes = 0;
  #failures = 0;
  #firstFailure: string | undefined;
  #startedAt = 0;

  constructor(
    private readonly burst: Burst,
    private readonly client: LoadClient,
  ) {
    this.#headers = {
      accept: 'application/json',
      'user-agent': 'bench/1.0 (linux/amd64)',
      ...(burst.contentType === undefined ? {} : { 'content-type': burst.contentType }),
      ...(burst.gzip === true ? { 'accept-encoding': 'gzip' } : {}),
    };
  }

  run(): Promise<BurstResult> {
    this.#startedAt = performance.now();
    return new Promise((resolve) => {
      const finish = (): void => resolve(this.#result(performance.now() - this.#startedAt));
      for (let lane = 0; lane < this.burst.concurrency; lane += 1) this.#next(finish);
    });
  }

  #next(finish: () => void): void {
    if (this.#isOver()) {
      if (this.#inFlight === 0) finish();
      return;
    }
    const { path, body, method, first = 0, modulo = Number.MAX_SAFE_INTEGER } = this.burst;
    const number = String(first + (this.#started % modulo));
    this.#started += 1;
    this.#inFlight += 1;
    const startedAt = performance.now();
    const call = {
      method,
      path: path.replace('{n}', number),
      headers: this.#headers,
      ...(body === undefined ? {} : { body: body.replace('{n}', number) }),
    };
    this.client.call(call, (result) => {
      this.#inFlight -= 1;
      this.#latencies.push(performance.now() - startedAt);
      this.#count(result);
      this.#next(finish);
    });
  }

  #isOver(): boolean {
    const { count, durationMs } = this.burst;
    if (count !== undefined && this.#started >= count) return true;
    return durationMs !== undefined && performance.now() - this.#startedAt >= durationMs;
  }

  #count({ status, bytes, text }: CallResult): void {
    this.#bytes += bytes;
    if (status >= 200 && status < 300) return;
    this.#failures += 1;
    this.#firstFailure ??= `${status} ${text}`;
  }

  #result(elapsedMs: number): BurstResult {
    return {
      requests: this.#started,
      elapsedMs,
      failures: this.#failures,
      ...(this.#firstFailure === undefined ? {} : { firstFailure: this.#firstFailure }),
      bytes: this.#bytes,
      medianMs: quantile(this.#latencies, 0.5),
      p99Ms: quantile(this.#latencies, 0.99),
    };
  }
}
