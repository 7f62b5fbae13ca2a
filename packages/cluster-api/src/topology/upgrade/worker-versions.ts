import { ReconcileError } from '@slipway/runtime';
import { topologyAnnotations } from '../../api/index.js';
import { type HookAnswers, isBlocking } from './lifecycle-hook.js';
import { type ControlPlaneUpgrade, isStable, isStableForWorkers, type WorkersUpgrade } from './upgrade-tracker.js';

/** The workers of one kind in the order of the topology. */
export interface WorkerFacts {
  readonly kind: 'MachineDeployment' | 'MachinePool';
  readonly topologyVersion: string;
  readonly workers: readonly {
    readonly topologyName: string;
    readonly annotations?: Readonly<Record<string, string>>;
    /** Absent if the worker does not exist yet. */
    readonly current?: { readonly name: string; readonly version: string };
  }[];
  /** Names of all objects of the kind whose machines are being replaced, including those removed from the topology. */
  readonly upgrading: readonly string[];
  readonly plan: readonly string[];
  readonly concurrency: number;
  readonly controlPlane: ControlPlaneUpgrade;
}

export interface WorkerVersions {
  /** The version of each worker, by topology name. */
  readonly versions: ReadonlyMap<string, string>;
  readonly upgrade: WorkersUpgrade;
}

/**
 * Returns the next version of each worker. Workers are upgraded in order, with limited concurrency, and never before the control
 * plane.
 */
export function decideWorkerVersions(facts: WorkerFacts, answers: HookAnswers): WorkerVersions {
  const { topologyVersion, controlPlane, plan, concurrency } = facts;
  const versions = new Map<string, string>();
  const upgrading = new Set(facts.upgrading);
  const pending = new Set<string>();
  const deferred = new Set<string>();
  const pendingCreate = new Set<string>();
  const isHookBlocking = isBlocking(answers, 'AfterControlPlaneUpgrade') || isBlocking(answers, 'BeforeWorkersUpgrade');
  const mayUpgrade = !isHookBlocking && isStableForWorkers(controlPlane);
  let isHeld = false;
  for (const worker of facts.workers) {
    const { topologyName, current } = worker;
    isHeld ||= isAnnotated(worker, topologyAnnotations.holdUpgradeSequence);
    if (current === undefined) {
      versions.set(topologyName, topologyVersion);
      // Wait: machines may fail to join while the control plane is being replaced.
      if (!isStable(controlPlane) || isHookBlocking) pendingCreate.add(topologyName);
      continue;
    }
    versions.set(topologyName, current.version);
    if (current.version === topologyVersion) continue;
    const isDeferred = isHeld || isAnnotated(worker, topologyAnnotations.deferUpgrade);
    if (isDeferred) deferred.add(current.name);
    const mayGo = mayUpgrade && !isDeferred && upgrading.size < concurrency;
    const next = mayGo ? nextVersion(facts.kind, plan) : current.version;
    // A worker with the first version of the plan waits until the control plane has the next version.
    (next === current.version ? pending : upgrading).add(current.name);
    versions.set(topologyName, next);
  }
  return { versions, upgrade: { plan, upgrading, pending, deferred, pendingCreate } };
}

function isAnnotated({ annotations = {} }: WorkerFacts['workers'][number], name: string): boolean {
  return Object.hasOwn(annotations, name);
}

function nextVersion(kind: WorkerFacts['kind'], [next]: readonly string[]): string {
  if (next === undefined) throw missingPlan(kind);
  return next;
}

function missingPlan(kind: WorkerFacts['kind']): ReconcileError {
  const name = kind === 'MachineDeployment' ? 'machine deployment' : 'machine pool';
  return new ReconcileError(
    'InvalidUpgradePlan',
    `cannot compute the ${name} version if the ${name} is pending upgrade and the upgrade plan is not set`,
    { retry: 'onChange' },
  );
}
