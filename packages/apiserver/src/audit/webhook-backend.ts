import { type Clock, type Random, sleep, type Timer } from '@slipway/base';
import type { AuditBackend } from './audit-event.js';

export interface AuditWebhookOptions {
  /** Sends an EventList. Rejects if the receiver did not accept it. */
  readonly send: (body: string, signal: AbortSignal) => Promise<unknown>;
  readonly clock: Clock;
  readonly random: Random;
  /** Number of events that are buffered. Further events are dropped. */
  readonly bufferSize: number;
  readonly batchSize: number;
  /** Time after which an incomplete batch is sent. */
  readonly batchWaitMs: number;
  readonly initialBackoffMs: number;
  /** Called if events are lost: the buffer is full, or the receiver did not accept a batch after all retries. */
  readonly onLost: (events: number, error: unknown) => void;
}

const attemptsMax = 5;
const backoffFactor = 1.5;
const backoffJitter = 0.2;
const closeTimeoutMs = 5_000;

/** Sends events in batches to a webhook, without delaying responses. */
export class AuditWebhookBackend implements AuditBackend {
  readonly name = 'webhook';
  readonly #options: AuditWebhookOptions;
  #buffer: string[] = [];
  #timer: Timer | undefined;
  #sending: Promise<void> | undefined;
  readonly #stopped = new AbortController();

  constructor(options: AuditWebhookOptions) {
    this.#options = options;
  }

  accept(event: string): void {
    const { bufferSize, batchSize, batchWaitMs, clock, onLost } = this.#options;
    if (this.#buffer.length >= bufferSize) {
      onLost(1, new Error('the buffer of the audit webhook is full'));
      return;
    }
    this.#buffer.push(event);
    if (this.#buffer.length >= batchSize) this.#flush();
    else this.#timer ??= clock.setTimer(batchWaitMs, () => this.#flush());
  }

  /** Sends the buffered events once. Events that the receiver does not accept in time are lost. */
  async close(): Promise<void> {
    this.#flush();
    const deadline = this.#options.clock.setTimer(closeTimeoutMs, () =>
      this.#stopped.abort(new Error('the server stopped before the audit webhook accepted the events')),
    );
    await this.#sending;
    deadline.cancel();
    this.#stopped.abort();
  }

  #flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#buffer.length > 0) {
      const batch = this.#buffer.splice(0, this.#options.batchSize);
      try {
        await this.#sendBatch(batch);
      } catch (error) {
        this.#options.onLost(batch.length, error);
      }
    }
  }

  async #sendBatch(batch: readonly string[]): Promise<void> {
    const body = `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[${batch.join(',')}]}`;
    const { send, clock, random, initialBackoffMs } = this.#options;
    const { signal } = this.#stopped;
    let delayMs = initialBackoffMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await send(body, signal);
        return;
      } catch (error) {
        if (attempt === attemptsMax || signal.aborted) throw error;
      }
      await sleep(clock, delayMs * (1 + backoffJitter * random.next()), { signal });
      delayMs *= backoffFactor;
    }
  }
}
