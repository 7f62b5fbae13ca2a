import {
  type Change,
  type ConditionTarget,
  edit,
  type NewCondition,
  type Reader,
  type ReconcileContext,
  type RequestOptions,
  type Resource,
  setCondition,
  type Writer,
} from '@slipway/runtime';
import { type FrozenProvider, type ProviderObject, typeNames } from '../api/index.js';
import type { ControllerDependencies } from './dependencies.js';
import { Report } from './report.js';

/** Names of the phases, as in upstream. */
export type PhaseName =
  | 'ApplyFromCache'
  | 'PreflightChecks'
  | 'DownloadManifests'
  | 'Load'
  | 'Fetch'
  | 'Store'
  | 'Upgrade'
  | 'Install'
  | 'Finalize';

/** State of one reconcile of a provider, shared by its phases. */
export class ProviderScope implements Pick<Writer, 'read' | 'change'> {
  readonly resource: Resource<ProviderObject>;
  readonly context: ReconcileContext;
  readonly dependencies: ControllerDependencies;
  readonly report = new Report();
  /** The provider object, including the writes of the phases so far. */
  provider: FrozenProvider;
  /** Values to redact from error messages. */
  secretValues: readonly string[] = [];
  /** Current phase, for the timeout message. */
  lastPhase: PhaseName = 'ApplyFromCache';
  /** Aborted when the controller stops or the phases time out. */
  readonly signal: AbortSignal;
  readonly #timeout = new AbortController();

  constructor(options: {
    readonly resource: Resource<ProviderObject>;
    readonly provider: FrozenProvider;
    readonly context: ReconcileContext;
    readonly dependencies: ControllerDependencies;
  }) {
    this.resource = options.resource;
    this.provider = options.provider;
    this.context = options.context;
    this.dependencies = options.dependencies;
    this.signal = AbortSignal.any([options.context.signal, this.#timeout.signal]);
  }

  get read(): Reader {
    return this.context.read;
  }

  /** Performs a change. Rejects as soon as the phases time out. */
  readonly change = ((change: Change) => unlessAborted(this.context.change(change), this.signal)) as Writer['change'];

  get request(): RequestOptions {
    return { signal: this.signal };
  }

  /** Runs one phase and observes its duration. */
  async phase<T>(phase: PhaseName, run: () => T | Promise<T>): Promise<T> {
    const { clock } = this.context;
    const begun = clock.monotonic();
    this.lastPhase = phase;
    try {
      return await run();
    } finally {
      const seconds = (clock.monotonic() - begun) / 1_000;
      this.dependencies.observePhase({ type: typeNames[this.provider.kind], phase }, seconds);
    }
  }

  /** Runs the phases and cancels them after the timeout, which leaves time to report it. Returns true on timeout. */
  async within(timeoutMs: number, run: () => Promise<void>): Promise<boolean> {
    const late = new Error(`not completed within ${timeoutMs / 1_000} s`);
    const timer = this.context.clock.setTimer(timeoutMs, () => this.#timeout.abort(late));
    try {
      await run();
      return false;
    } catch (error) {
      if (this.#timeout.signal.aborted && !this.context.signal.aborted) return true;
      throw error;
    } finally {
      timer.cancel();
    }
  }

  /** Records the selected version in the spec, before it is installed and before the status is written. */
  async chooseVersion(version: string): Promise<void> {
    if (this.provider.spec?.version === version) return;
    const after = edit(this.provider, (draft) => {
      draft.spec ??= {};
      draft.spec.version = version;
    });
    this.provider = await this.change({
      verb: 'patch',
      resource: this.resource,
      before: this.provider,
      after,
      reason: 'VersionSelected',
      message: `Selected version ${version}`,
    });
  }

  /** Sets a condition before the end of the reconcile, so that other controllers see it. */
  async announce(condition: NewCondition): Promise<void> {
    const { type, reason, message = '' } = condition;
    const after = edit(this.provider, (draft) =>
      setCondition(draft as ConditionTarget, condition, this.context.clock.now()),
    );
    this.provider = await this.change({
      verb: 'status',
      resource: this.resource,
      before: this.provider,
      after,
      ownedConditions: [type],
      reason,
      message,
    });
  }
}

function unlessAborted<R>(work: Promise<R>, signal: AbortSignal): Promise<R> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
  });
}
