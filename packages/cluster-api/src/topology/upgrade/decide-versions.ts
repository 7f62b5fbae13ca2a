import { topologyAnnotations } from '../../api/index.js';
import { specVersionOf, statusVersionsOf } from '../control-plane-fields.js';
import type { Blueprint, CurrentDeployment, CurrentPool, CurrentState, ObservedObject } from '../topology-state.js';
import { versionOf, versionOrder } from './compare-versions.js';
import { type ControlPlaneFacts, decideControlPlaneVersion } from './control-plane-version.js';
import type { HookAnswer, HookAnswers, HookCall, LifecycleHook } from './lifecycle-hook.js';
import type { TopologyVersions } from './topology-versions.js';
import { emptyPlan, type UpgradePlan, type UpgradeRange } from './upgrade-plan.js';
import { planFor, type UpgradeState } from './upgrade-tracker.js';
import { decideWorkerVersions, type WorkerFacts } from './worker-versions.js';

export interface VersionInput {
  readonly blueprint: Blueprint;
  readonly current: CurrentState;
  readonly range: UpgradeRange | undefined;
  readonly plan: UpgradePlan | undefined;
  /** Undefined while runtime extensions are disabled. */
  readonly pendingHooks: ReadonlySet<string> | undefined;
}

export interface DecidedVersions {
  readonly versions: TopologyVersions;
  readonly upgrade: UpgradeState;
  /** The hooks to record as pending. */
  readonly pendingHooks: ReadonlySet<string>;
  readonly answers: HookAnswers;
}

/** Decides the versions of all parts. Calls `ask` for each required hook. */
export async function decideVersions(
  input: VersionInput,
  ask: (call: HookCall) => Promise<HookAnswer>,
): Promise<DecidedVersions> {
  const facts = controlPlaneFacts(input);
  const answers = new Map<LifecycleHook, HookAnswer>();
  let decision = decideControlPlaneVersion(facts, answers);
  while (decision.type === 'ask') {
    answers.set(decision.call.hook, await ask(decision.call));
    decision = decideControlPlaneVersion(facts, answers);
  }
  const { version: controlPlane, upgrade, pendingHooks } = decision;
  const common = {
    topologyVersion: facts.topologyVersion,
    concurrency: concurrencyOf(input.current),
    controlPlane: upgrade,
  };
  const deployments = decideWorkerVersions({ ...common, ...deploymentFacts(input, facts.deploymentsPlan) }, answers);
  const pools = decideWorkerVersions({ ...common, ...poolFacts(input, facts.poolsPlan) }, answers);
  const isUpgradeUnderWay =
    input.pendingHooks === undefined
      ? facts.controlPlanePlan.length + facts.deploymentsPlan.length + facts.poolsPlan.length > 0
      : pendingHooks.has('AfterClusterUpgrade');
  return {
    versions: {
      controlPlane,
      machineDeployments: deployments.versions,
      machinePools: pools.versions,
      // KCP and MachineSets create machines of this version until the step is done, although the topology already has a later
      // version.
      ...(isUpgradeUnderWay ? { upgradeStep: controlPlane } : {}),
    },
    upgrade: {
      controlPlanePlan: facts.controlPlanePlan,
      controlPlane: upgrade,
      machineDeployments: deployments.upgrade,
      machinePools: pools.upgrade,
    },
    pendingHooks,
    answers,
  };
}

function controlPlaneFacts({
  blueprint,
  current,
  range,
  plan = emptyPlan,
  pendingHooks,
}: VersionInput): ControlPlaneFacts {
  const object = current.controlPlane?.object;
  const workers = [...current.machineDeployments.values(), ...current.machinePools.values()];
  return {
    topologyVersion: blueprint.topology.version,
    ...(object === undefined ? {} : { current: controlPlaneState(object) }),
    controlPlanePlan: plan.controlPlane,
    deploymentsPlan: planFor(plan, current.machineDeployments.size),
    poolsPlan: planFor(plan, current.machinePools.size),
    minWorkersVersion: range?.minWorkers ?? '',
    isAnyWorkerUpgrading: workers.some(({ isUpgrading }) => isUpgrading),
    ...(pendingHooks === undefined ? {} : { hooks: { pending: pendingHooks } }),
  };
}

/**
 * Returns the state of the control plane: provisioning until it reports a version, upgrading while that is lower than the desired
 * one.
 */
function controlPlaneState(object: ObservedObject): NonNullable<ControlPlaneFacts['current']> {
  const version = specVersionOf(object);
  const desired = versionOf(version, 'the control plane');
  const reported = statusVersionsOf(object);
  return {
    version,
    isProvisioning: reported.length === 0,
    isUpgrading: reported.some((text) => {
      const order = versionOrder(desired, versionOf(text, 'the status of the control plane'));
      return order === 'newer' || order === 'unordered';
    }),
  };
}

type OwnFacts = Omit<WorkerFacts, 'topologyVersion' | 'concurrency' | 'controlPlane'>;

function deploymentFacts({ blueprint, current }: VersionInput, plan: readonly string[]): OwnFacts {
  const topologies = blueprint.topology.workers?.machineDeployments ?? [];
  return { kind: 'MachineDeployment', plan, ...workerFacts(topologies, current.machineDeployments) };
}

function poolFacts({ blueprint, current }: VersionInput, plan: readonly string[]): OwnFacts {
  const topologies = blueprint.topology.workers?.machinePools ?? [];
  return { kind: 'MachinePool', plan, ...workerFacts(topologies, current.machinePools) };
}

function workerFacts(
  topologies: readonly {
    readonly name: string;
    readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  }[],
  current: ReadonlyMap<string, CurrentDeployment | CurrentPool>,
): Pick<WorkerFacts, 'workers' | 'upgrading'> {
  return {
    workers: topologies.map(({ name, metadata }) => {
      const object = current.get(name)?.object;
      return {
        topologyName: name,
        ...(metadata?.annotations === undefined ? {} : { annotations: metadata.annotations }),
        ...(object === undefined
          ? {}
          : { current: { name: object.metadata.name ?? '', version: object.spec.template.spec.version ?? '' } }),
      };
    }),
    upgrading: [...current.values()]
      .filter(({ isUpgrading }) => isUpgrading)
      .map(({ object }) => object.metadata.name ?? ''),
  };
}

/** Returns how many workers of one kind are upgraded concurrently. Admission has validated the annotation. */
function concurrencyOf({ cluster }: CurrentState): number {
  const value = Number(cluster.metadata.annotations?.[topologyAnnotations.upgradeConcurrency] ?? 1);
  return Number.isInteger(value) && value > 0 ? value : 1;
}
