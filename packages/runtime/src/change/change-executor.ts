import { type Clock, type Logger, silentLogger } from '@slipway/base';
import type { Frozen, JsonObject, KubeObject } from '@slipway/kube';
import { type Client, ifPresent, type ObjectKey, type Reader, type Resource } from '../client/index.js';
import type { EventRecorder } from './events.js';
import { anySignal, type Fence, FencedError, openFence } from '../leader-election/fence.js';
import type {
  ApplyChange,
  ApplyPreview,
  CallChange,
  Change,
  ChangeVerb,
  CreateSubresourceChange,
  DeleteAllChange,
  DeleteChange,
  PatchChange,
  RawPatchChange,
  StatusChange,
  WriteChange,
} from './change.js';
import { AppliedVersions } from './applied-versions.js';
import type { ChangeFeed, ChangeRecord } from './change-feed.js';
import { type Attempt, messageOf, namedVersion, recordOf, reportEvent, reportToLog } from './change-report.js';
import { DryRunObjects } from './dry-run-objects.js';
import { keyOf, sendDifference } from './object-difference.js';
import { writableClientOf } from './remote-cluster.js';
import { differsOnlyInSummaries } from './summaries.js';

/** The only access of a controller to an API server: live reads, and writes by typed changes. */
export interface Writer {
  /** Live reads. Has no write methods. */
  readonly read: Reader;
  /** Makes one change and returns the object as the server stores it. */
  change<T extends KubeObject>(change: WriteChange<T>): Promise<Frozen<T>>;
  /** Deletes an object. Returns undefined if the object no longer exists, or did not exist. */
  change<T extends KubeObject>(change: DeleteChange<T>): Promise<Frozen<T> | undefined>;
  change(change: DeleteAllChange): Promise<undefined>;
  change(change: CreateSubresourceChange): Promise<JsonObject>;
  /** Makes a call and returns its result. */
  change<R>(change: CallChange<R>): Promise<R>;
  change(change: Change): Promise<unknown>;
  /** Makes changes one after the other. Stops at the first failure, or tries all of them and throws the joined failures. */
  changeAll(changes: readonly Change[], options?: { readonly onError?: 'stop' | 'continue' }): Promise<void>;
  /** Returns the object as an apply would leave it: a server-side dry run that changes and records nothing. */
  preview<T extends KubeObject>(apply: ApplyPreview<T>): Promise<Frozen<T>>;
}

/** A write that the management cluster's API server accepted. */
export interface WriteResult {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly object?: Frozen<KubeObject>;
  readonly isDeletion: boolean;
}

export interface ExecutorDependencies {
  readonly client: Client;
  readonly clock: Clock;
  /** Name of the writer in logs, metrics and the change feed. */
  readonly controller: string;
  readonly reconciled?: ObjectKey & { readonly kind: string };
  readonly logger?: Logger;
  readonly events?: EventRecorder;
  readonly feed?: ChangeFeed;
  readonly fence?: Fence;
  /** Aborts requests and calls in progress. */
  readonly signal?: AbortSignal;
  /** Server-side dry run: the server validates and admits, nothing is stored, and no external call is made. */
  readonly dryRun?: boolean;
  readonly onWritten?: (result: WriteResult) => void;
  /** Whether a write of nothing but summaries can wait. If so, the caller reconciles the object again in time. */
  readonly postpone?: (resource: Resource, key: ObjectKey) => boolean;
  readonly onRecord?: (record: ChangeRecord) => void;
}

/** Ends a reconcile in a dry run: the next steps depend on the result of a call that is not made. */
export class DryRunEnd extends Error {
  constructor(action: string) {
    super(`dry run: ${action} was not called`);
    this.name = 'DryRunEnd';
  }
}

/** The only component that writes. Checks the fence right before each request, then logs, records, counts and publishes it. */
export class ChangeExecutor implements Writer {
  readonly #dependencies: ExecutorDependencies;
  readonly #dryRunObjects = new DryRunObjects();

  constructor(dependencies: ExecutorDependencies) {
    this.#dependencies = dependencies;
  }

  get read(): Reader {
    return this.#dependencies.client;
  }

  change<T extends KubeObject>(change: WriteChange<T>): Promise<Frozen<T>>;
  change<T extends KubeObject>(change: DeleteChange<T>): Promise<Frozen<T> | undefined>;
  change(change: DeleteAllChange): Promise<undefined>;
  change(change: CreateSubresourceChange): Promise<JsonObject>;
  change<R>(change: CallChange<R>): Promise<R>;
  change(change: Change): Promise<unknown>;
  async change(change: Change): Promise<unknown> {
    try {
      const result = await this.#perform(change);
      if (change.event !== undefined) reportEvent(this.#dependencies, change, change.event);
      return result;
    } catch (error) {
      if (change.failureEvent !== undefined) reportEvent(this.#dependencies, change, change.failureEvent, error);
      throw error;
    }
  }

  async changeAll(
    changes: readonly Change[],
    { onError = 'stop' }: { readonly onError?: 'stop' | 'continue' } = {},
  ): Promise<void> {
    const errors: unknown[] = [];
    for (const change of changes) {
      try {
        await this.change(change);
      } catch (error) {
        // After a FencedError this process may no longer write, so the remaining changes would fail the same way.
        if (onError === 'stop' || error instanceof FencedError) throw error;
        errors.push(error);
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, errors.map(messageOf).join('; '));
  }

  preview<T extends KubeObject>(apply: ApplyPreview<T>): Promise<Frozen<T>> {
    const { resource, key, configuration, on, fieldManager, force = true, subresource = '' } = apply;
    const { client, signal } = this.#dependencies;
    const target = on === undefined ? client : writableClientOf(on);
    const options = { fieldManager, force, subresource, dryRun: true, signal };
    return target.apply(resource, key, configuration, options);
  }

  #perform(change: Change): Promise<unknown> {
    switch (change.verb) {
      case 'create':
        return 'object' in change ? this.#create(change) : this.#createSubresource(change);
      case 'apply':
        return this.#apply(change);
      case 'patch':
        if ('before' in change) return this.#patch(change);
        return 'body' in change ? this.#rawPatch(change) : this.#replace(change);
      case 'status':
        return this.#patch(change);
      case 'delete':
        return 'key' in change ? this.#delete(change) : this.#deleteAll(change);
      case 'call':
        return this.#call(change);
    }
  }

  #create(change: Extract<WriteChange, { verb: 'create' }>): Promise<Frozen<KubeObject>> {
    const { resource, object, fieldManager } = change;
    return this.#write({ change, verb: 'create', key: keyOf(object) }, (client, options) =>
      client.create(resource, object, { ...options, fieldManager }),
    );
  }

  async #apply(change: ApplyChange): Promise<Frozen<KubeObject>> {
    const { resource, key, configuration, current, on, fieldManager, force = true, subresource = '' } = change;
    const applied = AppliedVersions.of(on === undefined ? this.#dependencies.client : writableClientOf(on));
    const base = current === 'absent' ? undefined : (current ?? applied.get(resource, key));
    const attempt = { change, verb: verbFor(subresource, 'apply'), key, body: configuration, base };
    const written = await this.#write(attempt, (client, options) =>
      client.apply(resource, key, configuration, { ...options, fieldManager, force, subresource }),
    );
    if (this.#dependencies.dryRun !== true) applied.note(resource, key, written.metadata.resourceVersion);
    return written;
  }

  #createSubresource(change: CreateSubresourceChange): Promise<JsonObject> {
    const { resource, key, subresource, body, fieldManager } = change;
    return this.#request({ change, verb: 'create', key }, (client, options) =>
      client.createSubresource(resource, key, subresource, body, { ...options, fieldManager }),
    );
  }

  #patch(change: PatchChange | StatusChange): Promise<Frozen<KubeObject>> {
    const { resource, before, after, on, fieldManager } = change;
    if (before === after) return Promise.resolve(before);
    const key = keyOf(before);
    const { signal } = this.#dependencies;
    if (this.#mayWait(change, key)) return Promise.resolve(before);
    const reader = on?.read ?? this.#dependencies.client;
    return sendDifference(
      {
        get: () => reader.get(resource, key, { signal }),
        patch: (patch, subresource, base) => {
          const attempt: Attempt = { change, verb: verbFor(subresource, 'patch'), key, body: patch, base };
          return this.#write(attempt, (client, options) =>
            client.patch(resource, key, { type: 'merge', patch }, { ...options, fieldManager, subresource }),
          );
        },
      },
      before,
      after,
      { ...change, statusOnly: change.verb === 'status' },
    );
  }

  #mayWait({ resource, before, after, on, summaries }: PatchChange | StatusChange, key: ObjectKey): boolean {
    const { postpone } = this.#dependencies;
    if (summaries === undefined || postpone === undefined || on !== undefined) return false;
    return differsOnlyInSummaries(before, after, summaries) && postpone(resource, key);
  }

  #rawPatch(change: RawPatchChange): Promise<Frozen<KubeObject>> {
    const { resource, key, body, subresource = '', fieldManager } = change;
    const attempt = { change, verb: verbFor(subresource, 'patch'), key, body: body.patch, base: namedVersion(body) };
    return this.#write(attempt, (client, options) =>
      client.patch(resource, key, body, { ...options, fieldManager, subresource }),
    );
  }

  #replace(change: Extract<WriteChange, { replacement: unknown }>): Promise<Frozen<KubeObject>> {
    const { resource, replacement, subresource = '', fieldManager } = change;
    const base = replacement.metadata.resourceVersion;
    const attempt = { change, verb: verbFor(subresource, 'patch'), key: keyOf(replacement), base };
    return this.#write(attempt, (client, options) =>
      client.update(resource, replacement, { ...options, fieldManager, subresource }),
    );
  }

  async #delete(change: DeleteChange): Promise<Frozen<KubeObject> | undefined> {
    const { resource, key, options: deletion, on } = change;
    const attempt: Attempt = { change, verb: 'delete', key };
    if (this.#dryRunObjects.has(attempt)) {
      this.#dryRunObjects.forget(attempt);
      return this.#recorded(attempt, () => Promise.resolve(undefined));
    }
    const left = await ifPresent(
      this.#request(attempt, (client, options) => client.delete(resource, key, { ...deletion, ...options })),
    );
    if (on === undefined && this.#dependencies.dryRun !== true)
      this.#dependencies.onWritten?.({ resource, key, object: left, isDeletion: true });
    return left;
  }

  async #deleteAll(change: DeleteAllChange): Promise<undefined> {
    const { resource, list, options: deletion } = change;
    const key = { namespace: list.namespace ?? '', name: '*' };
    await this.#request({ change, verb: 'delete', key }, (client, options) =>
      client.deleteAll(resource, list, { ...deletion, ...options }),
    );
    return undefined;
  }

  async #call(change: CallChange): Promise<unknown> {
    const { key, action, run, assume } = change;
    const { dryRun, signal = neverAborted } = this.#dependencies;
    const attempt: Attempt = { change, verb: 'call', key };
    if (dryRun !== true) return this.#recorded(attempt, () => run(signal));
    await this.#recorded(attempt, () => Promise.resolve());
    if (assume === undefined) throw new DryRunEnd(action);
    return assume();
  }

  /** Sends a request that returns the written object. */
  async #write<T extends KubeObject>(
    attempt: Attempt,
    send: (client: Client, options: RequestSettings) => Promise<Frozen<T>>,
  ): Promise<Frozen<T>> {
    if (this.#dependencies.dryRun === true) return this.#dryRun(attempt, send);
    const written = await this.#request(attempt, send);
    const { change } = attempt;
    if (change.verb !== 'call' && change.on === undefined) {
      const object: Frozen<KubeObject> = written;
      this.#dependencies.onWritten?.({ resource: change.resource, key: keyOf(object), object, isDeletion: false });
    }
    return written;
  }

  async #dryRun<T extends KubeObject>(
    attempt: Attempt,
    send: (client: Client, options: RequestSettings) => Promise<Frozen<T>>,
  ): Promise<Frozen<T>> {
    const known = this.#dryRunObjects.written(attempt) as Frozen<T> | undefined;
    const written = await (known === undefined
      ? this.#request(attempt, send)
      : this.#recorded(attempt, () => Promise.resolve(known)));
    this.#dryRunObjects.note(attempt, written);
    return written;
  }

  #request<R>(attempt: Attempt, send: (client: Client, options: RequestSettings) => Promise<R>): Promise<R> {
    const { client, dryRun, signal, fence = openFence } = this.#dependencies;
    const { change } = attempt;
    const target = change.verb === 'call' || change.on === undefined ? client : writableClientOf(change.on);
    const combined = anySignal(signal, fence.signal);
    return this.#recorded(attempt, () =>
      send(target, { ...(dryRun === true ? { dryRun } : {}), ...(combined === undefined ? {} : { signal: combined }) }),
    );
  }

  async #recorded<R>(attempt: Attempt, act: () => Promise<R>): Promise<R> {
    const { fence = openFence, clock } = this.#dependencies;
    // Check right before the request: while this process was suspended, another process may have become the leader.
    fence.check();
    const startedAt = clock.monotonic();
    let result: R;
    try {
      result = await act();
    } catch (error) {
      this.#publish(attempt, startedAt, undefined, error);
      throw error;
    }
    this.#publish(attempt, startedAt, result, undefined);
    return result;
  }

  #publish(attempt: Attempt, startedAt: number, result: unknown, error: unknown): void {
    const { logger = silentLogger, feed, clock, onRecord } = this.#dependencies;
    const record = recordOf(this.#dependencies, attempt, clock.monotonic() - startedAt, result, error);
    reportToLog(logger, record, attempt);
    feed?.publish(record);
    onRecord?.(record);
  }
}

interface RequestSettings {
  readonly dryRun?: true;
  readonly signal?: AbortSignal;
}

/** Returns the recorded verb: a write of the status subresource is recorded as `status`, whether it is an apply or a patch. */
function verbFor(subresource: string, verb: 'apply' | 'patch'): ChangeVerb {
  return subresource === 'status' ? 'status' : verb;
}

const neverAborted = new AbortController().signal;
