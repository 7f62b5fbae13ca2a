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
import type { FrozenProvider, ProviderObject } from '../api/index.js';
import type { OperatorWorld } from './operator-world.js';
import { Report } from './report.js';

/** One look at one provider: what its phases share. */
export class ProviderRun {
  readonly resource: Resource<ProviderObject>;
  readonly context: ReconcileContext;
  readonly world: OperatorWorld;
  readonly report = new Report();
  /** As the server has it: phases may have written to it. */
  provider: FrozenProvider;
  /** What must not be told, should it stand in a message of somebody else. */
  secretValues: readonly string[] = [];

  constructor(options: {
    readonly resource: Resource<ProviderObject>;
    readonly provider: FrozenProvider;
    readonly context: ReconcileContext;
    readonly world: OperatorWorld;
  }) {
    this.resource = options.resource;
    this.provider = options.provider;
    this.context = options.context;
    this.world = options.world;
  }

  get request(): RequestOptions {
    return { signal: this.context.signal };
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
