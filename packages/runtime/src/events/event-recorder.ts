import { type Clock, type Logger, sleep } from '@slipway/base';
import { type Frozen, isReason, type KubeObject, StatusError } from '@slipway/kube';
import { ChangeExecutor, type ChangeFeed, type EventFact, type EventRecorder, redact } from '../change/index.js';
import type { Client } from '../client/index.js';
import { type Correlated, EventCorrelator } from './event-correlator.js';
import {
  createEvent,
  type EventApi,
  eventNamespace,
  type EventReporter,
  eventResources,
  repeatPatch,
} from './event-objects.js';
import { type Fence, FencedError } from '../leader-election/fence.js';

export interface ApiEventRecorderOptions extends EventReporter {
  readonly client: Client;
  /** Fence of the writes. An Event is a write, so a former leader must not record Events. */
  readonly fence?: Fence;
  readonly changes?: ChangeFeed;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly api?: EventApi;
  /** Maximum number of queued Events. Further Events are dropped. */
  readonly backlogMax?: number;
}

interface Job {
  readonly object: Frozen<KubeObject>;
  readonly fact: EventFact;
  readonly correlated: Correlated;
}

const backlogMaxDefault = 1000;
const attemptsMax = 3;
const retryMs = 1000;

/** Writes Events to the API server one after the other, deduplicated, aggregated and rate-limited. */
export class ApiEventRecorder implements EventRecorder {
  readonly #options: ApiEventRecorderOptions;
  readonly #api: EventApi;
  readonly #correlator: EventCorrelator;
  readonly #executor: ChangeExecutor;
  readonly #jobs: Job[] = [];
  #sending: Promise<void> | undefined;
  #names = 0;
  #dropped = 0;

  constructor(options: ApiEventRecorderOptions) {
    this.#options = options;
    this.#api = options.api ?? 'core';
    this.#correlator = new EventCorrelator(options.clock);
    const { client, clock, controller, fence, changes: feed } = options;
    this.#executor = new ChangeExecutor({ client, clock, controller, ...(fence && { fence }), ...(feed && { feed }) });
  }

  get dropped(): number {
    return this.#dropped;
  }

  record(object: Frozen<KubeObject>, given: EventFact): void {
    const fact = { ...given, message: redact(given.message) };
    const { kind, apiVersion, metadata } = object;
    const about = [apiVersion, kind, metadata.namespace, metadata.name, metadata.uid].join(' ');
    const correlated = this.#correlator.correlate({ object: about, ...fact });
    if (correlated === undefined || this.#jobs.length >= (this.#options.backlogMax ?? backlogMaxDefault)) {
      this.#dropped += 1;
      return;
    }
    this.#jobs.push({ object, fact, correlated });
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Resolves when every event recorded so far was sent or dropped. */
  async flush(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    // Continue in a later turn, so that recording an Event does not run the client inside a reconcile.
    await Promise.resolve();
    for (let job = this.#jobs.shift(); job !== undefined; job = this.#jobs.shift()) await this.#send(job);
  }

  async #send(job: Job): Promise<void> {
    const { clock, logger } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#write(job);
        return;
      } catch (error) {
        if (isLasting(error) || attempt >= attemptsMax) {
          this.#dropped += 1;
          logger.debug({ err: error, reason: job.fact.reason }, 'Failed to write event');
          return;
        }
        await sleep(clock, retryMs * 2 ** (attempt - 1));
      }
    }
  }

  async #write(job: Job): Promise<void> {
    const resource = eventResources[this.#api];
    const { reason, message } = job.fact;
    const { series } = job.correlated;
    const namespace = eventNamespace(job.object);
    if (series.storedName !== undefined) {
      const key = { namespace, name: series.storedName };
      const patch = repeatPatch(this.#api, job.correlated);
      try {
        await this.#executor.change({ verb: 'patch', resource, key, body: { type: 'merge', patch }, reason, message });
        return;
      } catch (error) {
        // The Event object has expired, which happens after an hour. It is created again.
        if (!isReason(error, 'NotFound')) throw error;
      }
    }
    const name = this.#nextName(job.object);
    const event = createEvent(this.#api, name, job.object, job.fact, job.correlated, this.#options);
    await this.#executor.change({ verb: 'create', resource, object: event, reason, message });
    series.storedName = name;
  }

  #nextName(object: Frozen<KubeObject>): string {
    this.#names += 1;
    const nanos = BigInt(Math.floor(this.#options.clock.now())) * 1_000_000n + BigInt(this.#names % 1_000_000);
    return `${(object.metadata.name ?? '').slice(0, 230)}.${nanos.toString(16)}`;
  }
}

/** Returns whether a retry would not help: the server rejected the Event, or this process may no longer write. */
function isLasting(error: unknown): boolean {
  if (error instanceof FencedError) return true;
  return error instanceof StatusError && error.code < 500 && error.code !== 429;
}
