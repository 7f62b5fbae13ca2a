import {
  addressPoolOf,
  claimAddress,
  ipAddressClaims,
  ipAddresses,
  type IPAddress,
  type Missing,
  reasons,
  releaseAddress,
} from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type DeletingMachineScope,
  defineInfrastructureMachine,
  type InfrastructureMachineDefinition,
  type MachineProgress,
  type MachineScope,
  type ReportedCondition,
} from '@slipway/provider-kit';
import { type Controller, type ControllerContext, keyOf, mapToOwner, wait, watch } from '@slipway/runtime';
import {
  type HostCluster,
  hostClusters,
  hostConditions,
  hostFinalizers,
  type HostMachine,
  hostMachines,
  hostReasons,
} from '../api/index.js';
import { BootstrapDataError, installsKubeProxy, seedOf, withKubeProxyConfiguration } from '../bootstrap/index.js';
import type { Engine, MachineSpec, MachineState } from '../engine/index.js';
import { NodeFilesMissing } from '../node-files/index.js';
import { cloudConfigOfMachine } from './machine-cloud-config.js';

type Scope = MachineScope<HostMachine, HostCluster>;
type Progress = MachineProgress<HostMachine>;

const { addressAllocated, machineRunning, bootstrapExecSucceeded } = hostConditions;

/** Default for Machines without a version, such as those that a user created. */
const versionDefault = 'v1.36.3';
const hostNameLengthMax = 63;
/** Retry interval: no event reports that node files were prepared or a program was installed. */
const retryMs = 10_000;
/** Interval between checks: the machine is not a child process, and its files show its bootstrap but not its exit. */
const checkAgainMs = 10_000;
const checkSoonMs = 2_000;

export function createHostMachineController(
  engine: Engine,
  context: Pick<ControllerContext, 'sources' | 'concurrency' | 'watchFilter'>,
): Controller {
  return defineInfrastructureMachine(hostMachineDefinition(engine), context);
}

/**
 * Defines the controller of machines on this host: an address, and namespaces in which the bootstrap data and then a kubelet run.
 */
export function hostMachineDefinition(engine: Engine): InfrastructureMachineDefinition<HostMachine, HostCluster> {
  return {
    name: 'hostmachine',
    resource: hostMachines,
    clusterResource: hostClusters,
    finalizer: hostFinalizers.hostMachine,
    conditions: { provisioned: addressAllocated, ready: [addressAllocated, machineRunning, bootstrapExecSucceeded] },
    watches: [
      watch(ipAddressClaims, { map: mapToOwner(hostMachines) }),
      // IPAddresses are only cached. Events of their claims trigger reconciles.
      watch(ipAddresses, { map: () => [] }),
    ],
    ensure: (scope) => ensureMachine(scope, engine),
    remove: (scope) => removeMachine(scope, engine),
  };
}

async function ensureMachine(scope: Scope, engine: Engine): Promise<Progress> {
  const { context, infraMachine: hostMachine, infraCluster: hostCluster, wasProvisioned } = scope;
  const { uid = '', name = '' } = hostMachine.metadata;
  if (hostCluster === undefined)
    return waitingForAddress(hostReasons.waitingForMachine, 'Waiting for the HostCluster to exist');
  const { address, problem } = await claimAddress(context, hostMachine, addressPoolOf(hostCluster));
  if (address === undefined) {
    const cause = problem === undefined ? '' : `: ${problem.message}`;
    return waitingForAddress(hostReasons.waitingForAddress, `IPAddressClaim ${name} has no address yet${cause}`);
  }
  let state = await engine.machineState(uid);
  if (state.phase === 'absent' && !wasProvisioned) {
    const obstacle = await startMachine(scope, hostCluster, engine, address);
    if (obstacle !== undefined)
      return {
        conditions: [holds(addressAllocated), fails(machineRunning, obstacle)],
        outcome: wait({ ms: retryMs, ...obstacle }),
      };
    state = { ...state, phase: 'running' };
  }
  const { conditions, outcome } = progressOf(state);
  return {
    conditions: [holds(addressAllocated), ...conditions],
    machine: {
      providerID: providerIdOf(hostMachine),
      addresses: [
        { type: 'InternalIP', address: address.spec.address },
        { type: 'Hostname', address: name },
      ],
    },
    outcome,
  };
}

/** Starts the machine, or returns what prevents the start. */
async function startMachine(
  scope: Scope,
  hostCluster: Frozen<HostCluster>,
  engine: Engine,
  address: Frozen<IPAddress>,
): Promise<Missing | undefined> {
  const { context, infraMachine: hostMachine, machine } = scope;
  const problems = await engine.problems();
  if (problems.length > 0) return { reason: hostReasons.hostNotSupported, message: problems.join('; ') };
  const { uid = '', name = '' } = hostMachine.metadata;
  if (name.length > hostNameLengthMax) {
    const message = `the name has ${name.length} characters, but a host name may have at most ${hostNameLengthMax}`;
    return { reason: hostReasons.nameTooLong, message };
  }
  try {
    const config = await cloudConfigOfMachine(context, hostMachine, machine, address);
    const problem = installsKubeProxy(config) ? await engine.kubeProxyProblem() : undefined;
    if (problem !== undefined) return { reason: hostReasons.hostNotSupported, message: problem };
    const spec: MachineSpec = {
      id: uid,
      name,
      networkId: hostCluster.metadata.uid ?? '',
      address: `${address.spec.address}/${address.spec.prefix}`,
      gateway: address.spec.gateway ?? '',
      providerId: providerIdOf(hostMachine),
      nodeFiles: await engine.nodeFiles(machine.spec.version ?? versionDefault),
      seed: seedOf(withKubeProxyConfiguration(config)),
    };
    await scope.confirmWanted();
    await context.change({
      verb: 'call',
      resource: hostMachines,
      key: keyOf(hostMachine),
      action: 'start machine',
      reason: 'Provisioning',
      message: `Starting machine ${name} with address ${spec.address}`,
      run: () => engine.startMachine(spec),
      assume: () => undefined,
    });
    return undefined;
  } catch (error) {
    if (error instanceof NodeFilesMissing) return { reason: hostReasons.nodeFilesMissing, message: error.message };
    if (error instanceof BootstrapDataError)
      return { reason: hostReasons.bootstrapDataNotUsable, message: error.message };
    throw error;
  }
}

function progressOf({ phase, bootstrap, log }: MachineState): Pick<Progress, 'conditions' | 'outcome'> {
  const isBootstrapped = bootstrap === 'succeeded';
  if (phase !== 'running') {
    const reason = hostReasons.machineEnded;
    const message =
      phase === 'ended'
        ? `the machine stopped because its init process exited: see ${log}`
        : 'the machine no longer exists: its files were deleted; delete the Machine to replace it';
    const ended = fails(machineRunning, { reason, message });
    return {
      conditions: isBootstrapped ? [ended, holds(bootstrapExecSucceeded)] : [ended],
      outcome: wait({ reason, message }),
    };
  }
  if (isBootstrapped)
    return {
      conditions: [holds(machineRunning), holds(bootstrapExecSucceeded)],
      outcome: wait({
        ms: checkAgainMs,
        reason: 'Watching',
        message: 'Checking periodically that the machine is running',
      }),
    };
  const isFailed = bootstrap === 'failed';
  const open = isFailed
    ? {
        reason: hostReasons.bootstrapFailed,
        message: `the bootstrap commands failed: see ${log}`,
      }
    : { reason: hostReasons.bootstrapRunning, message: 'Waiting for the bootstrap commands to finish' };
  return {
    conditions: [holds(machineRunning), fails(bootstrapExecSucceeded, open)],
    outcome: wait({ ms: isFailed ? checkAgainMs : checkSoonMs, ...open }),
  };
}

async function removeMachine(
  { context, infraMachine: hostMachine }: DeletingMachineScope<HostMachine, HostCluster>,
  engine: Engine,
): Promise<undefined> {
  const { uid = '', name = '' } = hostMachine.metadata;
  if (await engine.hasMachine(uid))
    await context.change({
      verb: 'call',
      resource: hostMachines,
      key: keyOf(hostMachine),
      action: 'remove machine',
      reason: reasons.deleting,
      message: `Stopping machine ${name} and deleting its files`,
      run: () => engine.removeMachine(uid),
      assume: () => undefined,
    });
  await releaseAddress(context, hostMachine);
}

function providerIdOf({ metadata }: Frozen<HostMachine>): string {
  return `host://${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

function waitingForAddress(reason: string, message: string): Progress {
  return { conditions: [fails(addressAllocated, { reason, message })], outcome: wait({ reason, message }) };
}

function holds(type: string): ReportedCondition {
  return { type, status: 'True', reason: reasons.provisioned };
}

function fails(type: string, missing: Missing): ReportedCondition {
  return { type, status: 'False', ...missing };
}
