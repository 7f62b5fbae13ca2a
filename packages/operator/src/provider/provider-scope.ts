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
import type { ControllerWorld } from './operator-world.js';
import { Report } from './report.js';

/** Upstream's names for them. */
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

/** The state of one reconcile of a provider: what its phases share. */
export class ProviderScope implements Pick<Writer, 'read' | 'change'> {
  readonly resource: Resource<ProviderObject>;
  readonly context: ReconcileContext;
  readonly world: ControllerWorld;
  readonly report = new Report();
  /** As the server has it: phases may have written to it. */
  provider: FrozenProvider;
  /** What must not be told, should it stand in a message of somebody else. */
  secretValues: readonly string[] = [];
  /** What it is at, for the case that it takes too long. */
  lastPhase: PhaseName = 'ApplyFromCache';
  /** Ends when the controller stops, and when the phases take too long. */
  readonly signal: AbortSignal;
  readonly #patience = new AbortController();

  constructor(options: {
    readonly resource: Resource<ProviderObject>;
    readonly provider: FrozenProvider;
    readonly context: ReconcileContext;
    readonly world: ControllerWorld;
  }) {
    this.resource = options.resource;
    this.provider = options.provider;
    this.context = options.context;
    this.world = options.world;
    this.signal = AbortSignal.any([options.context.signal, this.#patience.signal]);
  }

  get read(): Reader {
    return this.context.read;
  }

  /** A change that the phases wait for no longer than they may take. */
  readonly change = ((change: Change) => unlessAborted(this.context.change(change), this.signal)) as Writer['change'];

  get request(): RequestOptions {
    return { signal: this.signal };
  }

  /** Runs one phase, and notes how long it took. */
  async phase<T>(phase: PhaseName, run: () => T | Promise<T>): Promise<T> {
    const { clock } = this.context;
    const begun = clock.monotonic();
    this.lastPhase = phase;
    try {
      return await run();
    } finally {
      const seconds = (clock.monotonic() - begun) / 1_000;
      this.world.observePhase({ type: typeNames[this.provider.kind], phase }, seconds);
    }
  }

  /** Ends what is under way after a while, so that there is time left to say so. True when it had to. */
  async within(timeoutMs: number, run: () => Promise<void>): Promise<boolean> {
    const late = new Error(`not done within ${timeoutMs / 1_000} s`);
    const timer = this.context.clock.setTimer(timeoutMs, () => this.#patience.abort(late));
    try {
      await run();
      return false;
    } catch (error) {
      if (this.#patience.signal.aborted && !this.context.signal.aborted) return true;
      throw error;
    } finally {
      timer.cancel();
    }
  }

  /** Which version it is to have from now on: written before anything is done by it, and before the status. */
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

  /** Sets a condition before the end of the reconcile, for others to act on. */
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
