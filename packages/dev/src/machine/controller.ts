import { clusterNameOf, isControlPlaneMachine, reasons, runPhases } from '@slipway/cluster-api';
import {
  type DeletingMachineScope,
  defineInfrastructureMachine,
  type InfrastructureMachineDefinition,
  type MachineProgress,
  type MachineScope,
  type ProvisionedMachine,
} from '@slipway/provider-kit';
import {
  type Controller,
  type ControllerContext,
  generationChanged,
  isDeleting,
  keyOf,
  labelsChanged,
  wait,
} from '@slipway/runtime';
import {
  devAnnotations,
  type DevCluster,
  devClusters,
  devConditions,
  devFinalizers,
  type DevMachine,
  devMachines,
  devReasons,
} from '../api/index.js';
import { removeMachine } from '../guest/index.js';
import type { WorkloadClusters } from '../workload/index.js';
import { mirrorConditions, StartupReport, startupTypes } from './startup-report.js';
import { addressOf } from './startup.js';
import { providerIdOf, runStep, stepsFor, type StartupScope } from './startup-steps.js';

type Scope = MachineScope<DevMachine, DevCluster>;

/** Default for Machines without a version, such as those that a user created. */
const versionDefault = 'v1.34.0';

/** Reconciles a simulated machine: switches it on, registers its Node, and starts the components of a control plane. */
export function createDevMachineController(
  workloads: WorkloadClusters,
  context: Pick<ControllerContext, 'sources' | 'concurrency' | 'watchFilter'>,
): Controller {
  return defineInfrastructureMachine(devMachineDefinition(workloads), context);
}

export function devMachineDefinition(
  workloads: WorkloadClusters,
): InfrastructureMachineDefinition<DevMachine, DevCluster> {
  return {
    name: 'devmachine',
    resource: devMachines,
    clusterResource: devClusters,
    finalizer: devFinalizers.devMachine,
    conditions: (machine) => startupTypes(machine !== undefined && isControlPlaneMachine(machine)),
    // Ignore status updates: only the desired state of a Machine matters here.
    machineFilter: (change) => generationChanged(change) || labelsChanged(change),
    validate: ({ spec }) =>
      spec?.backend.inMemory === undefined
        ? {
            reason: devReasons.backendNotSupported,
            message:
              'the docker backend is not part of Slipway: set spec.backend.inMemory, or use another infrastructure provider',
          }
        : undefined,
    ensure: (scope) => startMachine(scope, workloads),
    remove: (scope) => stopMachine(scope, workloads),
    mirror: mirrorConditions,
  };
}

/** Advances the machine through all phases whose startup time has passed. */
async function startMachine(scope: Scope, workloads: WorkloadClusters): Promise<MachineProgress<DevMachine>> {
  const { context, infraMachine: devMachine, machine, cluster, infraCluster, isControlPlane } = scope;
  // After a restart the simulation is rebuilt from the objects, except for clusters that are being deleted.
  if (infraCluster === undefined || isDeleting(infraCluster)) {
    const message = `DevCluster ${cluster.spec.infrastructureRef?.name ?? ''} does not exist or is being deleted`;
    return { conditions: [], outcome: wait({ reason: reasons.waitingForClusterInfrastructureReady, message }) };
  }
  const { namespace = '', name = '', uid = '' } = devMachine.metadata;
  const clusterKey = { namespace, name: cluster.metadata.name ?? '' };
  if (workloads.get(clusterKey)?.isOn(name) !== true) await scope.confirmWanted();
  const report = new StartupReport(devMachine, context.clock.now());
  const startup: StartupScope = {
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
  const steps = stepsFor(isControlPlane);
  const outcome = await runPhases(steps.map((step) => () => runStep(startup, step)));
  const isUp = report.isProvisioned(devConditions.vmProvisioned);
  const isBootstrapped = steps.every(({ condition }) => report.isProvisioned(condition));
  return {
    conditions: report.conditions,
    ...(isUp && { machine: factsOf(startup) }),
    apply(draft) {
      if (!isUp || !isBootstrapped) return;
      draft.metadata.annotations ??= {};
      draft.metadata.annotations[devAnnotations.bootstrapped] = 'true';
    },
    outcome,
  };
}

function factsOf({ machine, name, address, providerId }: StartupScope): ProvisionedMachine {
  const { failureDomain } = machine.spec;
  return {
    providerID: providerId,
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: name },
    ],
    ...(failureDomain !== undefined && { failureDomain }),
  };
}

async function stopMachine(
  { context, infraMachine: devMachine, machine }: DeletingMachineScope<DevMachine, DevCluster>,
  workloads: WorkloadClusters,
): Promise<undefined> {
  const { namespace = '', name = '' } = devMachine.metadata;
  const clusterName = clusterNameOf(machine ?? { metadata: devMachine.metadata });
  const cluster = { namespace, name: clusterName ?? '' };
  if (clusterName === undefined || workloads.get(cluster) === undefined) return;
  await context.change({
    verb: 'call',
    resource: devMachines,
    key: keyOf(devMachine),
    action: 'switch off machine',
    reason: reasons.deleting,
    message: `Switching off machine ${name}`,
    run: () => removeMachine(workloads, cluster, name),
  });
}
