import {
  isControlPlaneMachine,
  type Missing,
  type ObservedCluster,
  reasons,
  runPhases,
  whatIsMissing,
} from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  confirmWanted,
  edit,
  isDeleting,
  type Outcome,
  patchObject,
  pausedCondition,
  type ReconcileContext,
  type Sources,
  wait,
} from '@slipway/runtime';
import { devAnnotations, devClusters, devConditions, type DevMachine, devMachines, devReasons } from '../api/index.js';
import type { WorkloadClusters } from '../workload/index.js';
import { MachineReport } from './machine-report.js';
import type { OwnedDevMachine } from './observe.js';
import { runStep, type Stage } from './stage.js';
import { addressOf } from './startup.js';
import { controlPlaneSteps, machineSteps, providerIdOf } from './steps.js';

/** For Machines that name none, as those that people make by hand. */
const versionDefault = 'v1.34.0';

/** Brings the machine as far as time allows, and writes down how far that is. */
export async function provisionMachine(
  { devMachine, machine, cluster }: OwnedDevMachine,
  context: ReconcileContext,
  workloads: WorkloadClusters,
): Promise<Outcome> {
  const isControlPlane = isControlPlaneMachine(machine);
  const report = new MachineReport(devMachine, isControlPlane, context.clock.now());
  report.note(pausedCondition(devMachine, cluster));
  const missing = backendMissing(devMachine) ?? whatIsMissing({ machine, cluster });
  if (missing !== undefined) {
    report.waits(devConditions.vmProvisioned, missing.reason, missing.message);
    await write(context, devMachine, report.applyTo(devMachine));
    return wait(missing);
  }
  const { namespace = '', name = '', uid = '' } = devMachine.metadata;
  const clusterKey = { namespace, name: cluster.metadata.name ?? '' };
  const gone = infrastructureGone(context.sources, cluster);
  // Nothing is built again for a cluster that is being taken down.
  if (gone !== undefined) return wait({ reason: reasons.waitingForClusterInfrastructureReady, message: gone });
  // Also after a restart, when everything is built again: but nothing for what was deleted meanwhile.
  if (workloads.get(clusterKey)?.isOn(name) !== true) await confirmWanted(context, devMachines, devMachine);
  const stage: Stage = {
    context,
    devMachine,
    machine,
    cluster,
    clusterKey,
    workload: await workloads.ensure(clusterKey, cluster.spec.controlPlaneEndpoint),
    isControlPlane,
    name,
    uid,
    version: machine.spec.version ?? devMachine.metadata.annotations?.[devAnnotations.version] ?? versionDefault,
    address: addressOf(uid),
    providerId: providerIdOf(name),
    report,
  };
  const steps = stage.isControlPlane ? [...machineSteps, ...controlPlaneSteps] : machineSteps;
  const outcome = await runPhases(steps.map((step) => () => runStep(stage, step)));
  const allDone = steps.every(({ condition }) => report.isProvisioned(condition));
  await write(context, devMachine, report.applyTo(withFacts(stage, allDone)));
  return outcome;
}

function infrastructureGone(sources: Sources, cluster: ObservedCluster): string | undefined {
  const { kind = '', name = '' } = cluster.spec.infrastructureRef ?? {};
  if (kind !== devClusters.kind) return `the Cluster's infrastructure is a ${kind}: DevMachines work with a DevCluster`;
  const devCluster = sources.sourceFor(devClusters).get({ namespace: cluster.metadata.namespace ?? '', name });
  return devCluster === undefined || isDeleting(devCluster) ? `DevCluster ${name} is gone or going` : undefined;
}

function backendMissing(devMachine: Frozen<DevMachine>): Missing | undefined {
  if (devMachine.spec?.backend.inMemory !== undefined) return undefined;
  return {
    reason: devReasons.backendNotSupported,
    message:
      'the docker backend is not part of Slipway: set spec.backend.inMemory, or use another infrastructure provider',
  };
}

/** What is known of the machine itself once it is switched on. */
function withFacts({ devMachine, machine, name, address, report }: Stage, allDone: boolean): Frozen<DevMachine> {
  if (!report.isProvisioned(devConditions.vmProvisioned)) return devMachine;
  return edit(devMachine, (draft) => {
    if (draft.spec !== undefined) draft.spec.providerID = providerIdOf(name);
    if (allDone) {
      draft.metadata.annotations ??= {};
      draft.metadata.annotations[devAnnotations.bootstrapped] = 'true';
    }
    draft.status ??= {};
    draft.status.initialization = { provisioned: true };
    draft.status.addresses = [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: name },
    ];
    if (machine.spec.failureDomain !== undefined) draft.status.failureDomain = machine.spec.failureDomain;
  });
}

const ownedConditions = [
  'Paused',
  'Ready',
  devConditions.vmProvisioned,
  devConditions.nodeProvisioned,
  devConditions.etcdProvisioned,
  devConditions.apiServerProvisioned,
];

async function write(
  { client, signal }: ReconcileContext,
  before: Frozen<DevMachine>,
  after: Frozen<DevMachine>,
): Promise<void> {
  if (isDeleting(before)) return;
  await patchObject(client, devMachines, before, after, { ownedConditions, seesOwnChange: true, signal });
}
