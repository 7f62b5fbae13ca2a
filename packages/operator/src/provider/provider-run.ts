import {
  type ConditionTarget,
  edit,
  type NewCondition,
  patchObject,
  type ReconcileContext,
  type RequestOptions,
  type Resource,
  setCondition,
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

/** One look at one provider: what its phases share. */
export class ProviderRun {
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
    const { client } = this.context;
    const after = edit(this.provider, (draft) => {
      draft.spec ??= {};
      draft.spec.version = version;
    });
    this.provider = await patchObject(client, this.resource, this.provider, after, this.request);
  }

  /** Says something before the end, that others may act on. */
  async announce(conditions: readonly NewCondition[]): Promise<void> {
    const { client, clock } = this.context;
    const after = edit(this.provider, (draft) => {
      for (const condition of conditions) setCondition(draft as ConditionTarget, condition, clock.now());
    });
    const ownedConditions = conditions.map(({ type }) => type);
    this.provider = await patchObject(client, this.resource, this.provider, after, {
      ownedConditions,
      ...this.request,
    });
  }
}
