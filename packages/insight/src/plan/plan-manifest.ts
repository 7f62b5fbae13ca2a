import type { KubeObject } from '@slipway/kube';
import type { Client } from '@slipway/runtime';
import { applyObjects, checkServed, deleteObjects } from './apply-objects.js';
import { scopeOf } from './manifest.js';
import { type Plan, planOf } from './plan.js';
import { readState } from './read-state.js';
import type { ManagementState } from './state.js';
import { topologyGate, whatIf } from './what-if.js';

export interface PlanOnStateOptions {
  /** For objects that name none. */
  readonly namespace: string;
  readonly nowMs: number;
  /** As `--feature-gates` has them. */
  readonly featureGates?: string;
  readonly forceConflicts?: boolean;
  /** What deleting the objects will do, instead of applying them. */
  readonly delete?: boolean;
  /** How long the thinking may take, in real time. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
}

export interface PlanManifestOptions extends PlanOnStateOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** What applying the objects, or deleting them, will do. Nothing is written. */
export async function planManifest(objects: readonly KubeObject[], options: PlanManifestOptions): Promise<Plan> {
  const { client, namespace, signal } = options;
  return planOnState(objects, await readForPlan(client, objects, namespace, signal), options);
}

/** What of a management cluster a plan of the objects has to know. */
export async function readForPlan(
  client: Client,
  objects: readonly KubeObject[],
  namespace: string,
  signal: AbortSignal,
): Promise<ManagementState> {
  await checkServed(client, objects);
  return readState(client, scopeOf(objects, namespace), signal);
}

/** The thinking alone: from what was read, wherever that was. */
export async function planOnState(
  objects: readonly KubeObject[],
  state: ManagementState,
  options: PlanOnStateOptions,
): Promise<Plan> {
  const { namespace, nowMs, forceConflicts = false, signal } = options;
  const run = await whatIf({
    state,
    nowMs,
    featureGates: gatesOf(objects, options.featureGates ?? ''),
    ...(options.patienceMs !== undefined && { limits: { patienceMs: options.patienceMs } }),
    ...(signal && { signal }),
    change: async (fork) => {
      if (options.delete === true) await deleteObjects(fork, objects, { namespace });
      else await applyObjects(fork, objects, { namespace, forceConflicts });
    },
  });
  return planOf(run);
}

function gatesOf(objects: readonly KubeObject[], chosen: string): string {
  const hasClass = objects.some(({ kind }) => kind === 'ClusterClass');
  return [...(hasClass ? [topologyGate] : []), chosen].filter((text) => text !== '').join(',');
}
