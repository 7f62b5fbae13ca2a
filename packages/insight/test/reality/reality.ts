import type { ObjectStore } from '@slipway/apiserver';
import { machines } from '@slipway/cluster-api';
import type { KubeObject } from '@slipway/kube';
import { isDeleting } from '@slipway/runtime';
import { applyObjects, deleteObjects, ManifestError, type Plan, planOf } from '../../src/index.js';
import { Activity } from '../../src/plan/activity.js';
import { planManifest } from '../../src/plan/index.js';
import { Recording, whileAdvancing } from '../../src/plan/recording.js';
import { type Settled, settle } from '../../src/plan/settle.js';
import { isInProgress } from '../../src/plan/unsettled.js';
import { type SimulatedPlane, startSimulatedPlane } from '../simulated-plane.js';
import { drawCluster } from './cluster-model.js';
import { differencesBetween, nameOf } from './differences.js';
import { drawChange, type DrawnChange, manifestOf } from './draw-change.js';
import { Draws } from './draws.js';
import { namespace } from './plain-manifest.js';

/** A planned and applied change. */
interface ComparedChange {
  readonly name: string;
  /** Whether validation rejects the manifest. */
  readonly isRejected: boolean;
  readonly steps: number;
  readonly differences: readonly string[];
}

export interface ComparedSeed {
  readonly seed: number;
  readonly changes: readonly ComparedChange[];
}

const limits = { quietMs: 15 * 60_000, horizonMs: 4 * 3_600_000, timeoutMs: 600_000 };
const changesMax = 4;

/** A management plane in simulated time on which changes are planned and then applied. */
class Reality {
  readonly #activity: Activity;
  readonly plane: SimulatedPlane;

  private constructor(plane: SimulatedPlane, activity: Activity) {
    this.plane = plane;
    this.#activity = activity;
  }

  static async start(): Promise<Reality> {
    const activity = new Activity();
    return new Reality(await startSimulatedPlane([], { wrap: (sets) => activity.watch(sets) }), activity);
  }

  /** Applies or deletes the objects, waits until nothing changes, and returns what happened in the form of a plan. */
  async change(objects: readonly KubeObject[], isDelete = false): Promise<Plan> {
    const { client, clock, store, registry, feed } = this.plane;
    const recording = new Recording({ store, registry }, clock);
    recording.start(feed);
    recording.markChange();
    const options = { namespace };
    const work = isDelete ? deleteObjects(client, objects, options) : applyObjects(client, objects, options);
    await whileAdvancing(clock, this.#activity, Promise.resolve<unknown>(work));
    const settled = await this.#settle(store, recording);
    return planOf({ ...(await recording.stop()), settled, assumedHooks: [] });
  }

  plan(objects: readonly KubeObject[], isDelete: boolean): Promise<Plan> {
    const { client, clock } = this.plane;
    const { timeoutMs } = limits;
    const signal = AbortSignal.timeout(timeoutMs);
    return planManifest(objects, { client, namespace, nowMs: clock.now(), signal, delete: isDelete, timeoutMs });
  }

  /**
   * The names of the Machines that are not being deleted. A deletion can wait forever, for example to drain a Node of a Cluster
   * whose only control plane Machine was deleted. Plan and reality both report such a Machine as deleted and as not settled.
   */
  async machines(): Promise<readonly string[]> {
    const { items } = await this.plane.client.list(machines, { namespace });
    return items
      .filter((machine) => !isDeleting(machine))
      .map(nameOf)
      .sort();
  }

  /** The names of all Cluster API objects. */
  names(): ReadonlySet<string> {
    const { store, registry, clock } = this.plane;
    return new Set(new Recording({ store, registry }, clock).objects().map(nameOf));
  }

  #settle(store: ObjectStore, recording: Recording): Promise<Settled> {
    return settle({
      clock: this.plane.clock,
      activity: this.#activity,
      revision: () => store.revision,
      progress: () => recording.progress,
      isPending: () => isInProgress(recording.objects()),
      limits,
    });
  }
}

/** Draws a Cluster and changes from a seed. Plans and then applies each change, and compares what happened with the plan. */
export async function compareSeed(seed: number): Promise<ComparedSeed> {
  const draws = new Draws(seed);
  const reality = await Reality.start();
  try {
    let model = drawCluster(draws, 'demo');
    await reality.change(manifestOf(model));
    const changes: ComparedChange[] = [];
    for (let left = draws.between(1, changesMax); left > 0; left -= 1) {
      const change = drawChange(model, await reality.machines(), draws);
      const compared = await compareChange(reality, change);
      changes.push(compared);
      // The objects of a rejected manifest before the rejected one are applied: the model no longer describes the state.
      if (change.model === undefined || compared.isRejected) break;
      model = change.model;
    }
    return { seed, changes };
  } finally {
    await reality.plane.stop();
  }
}

async function compareChange(reality: Reality, { name, objects, isDelete }: DrawnChange): Promise<ComparedChange> {
  const names = reality.names();
  const before = await reality.machines();
  const planned = await orError(reality.plan(objects, isDelete));
  const happened = await orError(reality.change(objects, isDelete));
  if (planned instanceof Error || happened instanceof Error) {
    const [left, right] = [planned, happened].map((result) => (result instanceof Error ? result.message : 'accepted'));
    const differences = left === right ? [] : [`acceptance\n    planned:  ${left}\n    happened: ${right}`];
    return { name, isRejected: true, steps: 0, differences };
  }
  const differences = differencesBetween({ planned, happened, names, before, after: await reality.machines() });
  return { name, isRejected: false, steps: happened.steps.length, differences };
}

/** Returns the error of a manifest that is rejected. */
async function orError(result: Promise<Plan>): Promise<Plan | Error> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof ManifestError) return error;
    throw error;
  }
}
