import { claimAddress, clusterNameOf, keysOfCluster, type Machine } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { MachineProgress, MachineScope } from '@slipway/provider-kit';
import { ifPresent, keyOf, type ReconcileContext, secrets, type Sources, wait } from '@slipway/runtime';
import { type KVMCluster, type KVMMachine, kvmConditions, kvmMachines, kvmReasons } from '../api/index.js';
import { type IdentityChoices, uuidOf, withIdentity } from './identity.js';
import { allocatesAddresses, networkModeOf, poolReferenceOf } from './network-plan.js';
import {
  type Backends,
  backendOf,
  type BootstrapData,
  type VirtualMachineService,
  type VmCondition,
  type VmReport,
  type DesiredMachine,
} from './vm-service.js';

type Scope = MachineScope<KVMMachine, KVMCluster>;
type CompleteScope = Scope & { readonly infraCluster: Frozen<KVMCluster> };
type Progress = MachineProgress<KVMMachine>;

const { bootstrapDataAvailable, vmProvisioned } = kvmConditions;
const hostNameLengthMax = 63;
/**
 * Interval at which a missing bootstrap Secret is read again. Secrets are not watched: there may be thousands, and this one is
 * read once.
 */
const checkAgainMs = 10_000;

/** Performs every step for the machine that is possible now and returns its progress. */
export async function ensureMachine(given: Scope, backends: Backends): Promise<Progress> {
  const { context, infraMachine: kvmMachine, infraCluster: kvmCluster } = given;
  if (kvmCluster === undefined) {
    const message = 'spec.infrastructureRef of the Cluster does not refer to a KVMCluster, which KVMMachines require';
    return stopped(bootstrapDataAvailable, kvmReasons.waitingForClusterInfrastructure, message);
  }
  const scope: CompleteScope = { ...given, infraCluster: kvmCluster };
  const backend = backendOf(backends, kvmMachine, kvmCluster);
  const service = backends.services.get(backend);
  // No conditions are set: a manager that has this backend sets them.
  if (service === undefined)
    return {
      conditions: [],
      outcome: wait({ reason: kvmReasons.invalidSpec, message: `backend ${backend} is not enabled in this manager` }),
    };
  const problem = problemOf(scope, service);
  if (problem !== undefined) return stopped(vmProvisioned, problem.reason, problem.message);
  const identified = withIdentity(kvmMachine, identityChoices(scope, service), context.random);
  if (identified !== kvmMachine)
    return recordSpec(scope, 'Recorded the identity of the machine before it is created', (draft) => {
      draft.spec = structuredClone(identified.spec) as typeof draft.spec;
    });
  if (allocatesAddresses(kvmCluster, service.backend) && (kvmMachine.spec?.network?.ipAddresses ?? []).length === 0)
    return allocate(scope);
  return progressOf(scope, await ensureVm(scope, service));
}

interface Problem {
  readonly reason: string;
  readonly message: string;
}

function problemOf(
  { infraMachine: kvmMachine, infraCluster: kvmCluster, context }: CompleteScope,
  service: VirtualMachineService,
): Problem | undefined {
  const { name = '' } = kvmMachine.metadata;
  if (name.length > hostNameLengthMax)
    return {
      reason: kvmReasons.invalidSpec,
      message: `the name has ${name.length} characters, but a host name may have at most ${hostNameLengthMax}`,
    };
  const { hostName } = kvmMachine.spec ?? {};
  if (service.hostName !== undefined && hostName !== undefined && hostName !== service.hostName)
    return {
      reason: kvmReasons.hostUnreachable,
      message: `the machine runs on host ${hostName}, but this host is ${service.hostName}: run Slipway on ${hostName}`,
    };
  if (networkModeOf(kvmCluster, service.backend) !== 'user') return undefined;
  const other = othersOfCluster(context.sources, kvmMachine).find((each) => uuidOf(each) !== undefined);
  return other === undefined
    ? undefined
    : {
        reason: kvmReasons.invalidSpec,
        message: `in network mode user every machine has address 10.0.2.15, which KVMMachine ${other.metadata.name ?? ''} already uses: use mode segment`,
      };
}

function othersOfCluster(sources: Sources, { metadata }: Frozen<KVMMachine>): Frozen<KVMMachine>[] {
  const source = sources.sourceFor(kvmMachines);
  const { namespace = '', name = '' } = metadata;
  return keysOfCluster(sources, kvmMachines, { namespace, name: clusterNameOf({ metadata }) ?? '' })
    .filter((key) => key.name !== name)
    .map((key) => source.get(key))
    .filter((each) => each !== undefined);
}

function identityChoices(
  { context, infraMachine: kvmMachine, infraCluster: kvmCluster, cluster }: CompleteScope,
  { backend, hostName }: VirtualMachineService,
): IdentityChoices {
  const others = uuidOf(kvmMachine) === undefined ? othersOfCluster(context.sources, kvmMachine) : [];
  return {
    backend,
    hostName,
    interfaceIndex: networkModeOf(kvmCluster, backend) === 'segment' ? 1 : 0,
    clusterName: cluster.metadata.name ?? '',
    takenMacAddresses: new Set(others.map(({ spec }) => spec?.network?.macAddress ?? '')),
  };
}

async function allocate(scope: CompleteScope): Promise<Progress> {
  const { context, infraMachine: kvmMachine, infraCluster: kvmCluster } = scope;
  const { address, problem } = await claimAddress(context, kvmMachine, poolReferenceOf(kvmCluster));
  if (address === undefined) {
    const isFull = problem?.reason === 'PoolExhausted';
    const reason = isFull ? kvmReasons.allocationExhausted : kvmReasons.waitingForAddress;
    const message = `IPAddressClaim ${kvmMachine.metadata.name ?? ''} has no address yet: ${problem?.message ?? 'the claim was just created'}`;
    return stopped(vmProvisioned, reason, message);
  }
  return recordSpec(scope, `Assigned address ${address.spec.address}`, (draft) => {
    draft.spec ??= {};
    draft.spec.network ??= {};
    draft.spec.network.ipAddresses = [`${address.spec.address}/${address.spec.prefix ?? 24}`];
    if (address.spec.gateway !== undefined) draft.spec.network.gateway ??= address.spec.gateway;
  });
}

async function ensureVm(
  { context, infraMachine: kvmMachine, infraCluster: kvmCluster, machine, ...scope }: CompleteScope,
  service: VirtualMachineService,
): Promise<VmReport> {
  const desired: DesiredMachine = {
    uuid: uuidOf(kvmMachine) ?? '',
    kvmMachine,
    kvmCluster,
    machine,
    cluster: scope.cluster,
    isControlPlane: scope.isControlPlane,
    wasProvisioned: scope.wasProvisioned,
    readBootstrapData: () => readBootstrapData(context, machine),
  };
  try {
    const report = await service.ensure(desired, context);
    return { ...report, conditions: [available, ...report.conditions] };
  } catch (error) {
    if (!(error instanceof BootstrapDataError)) throw error;
    const { reason, message } = error;
    return {
      state: 'pending',
      conditions: [{ type: bootstrapDataAvailable, status: 'False', reason, message }],
      addresses: [],
      outcome: wait({ ms: checkAgainMs, reason, message }),
    };
  }
}

const available: VmCondition = { type: bootstrapDataAvailable, status: 'True', reason: 'Available', message: '' };

function progressOf(
  { infraMachine: kvmMachine, machine }: CompleteScope,
  { state, conditions, addresses, vm, outcome }: VmReport,
): Progress {
  const isUp = conditions.some(({ type, status }) => type === vmProvisioned && status === 'True');
  return {
    conditions,
    ...(isUp && { machine: { providerID: kvmMachine.spec?.providerID ?? '', addresses } }),
    apply(draft) {
      draft.status ??= {};
      const { status } = draft;
      status.machineState = state;
      if (addresses.length > 0) status.addresses = [...addresses];
      if (vm !== undefined) status.vm = vm;
      const failureDomain = draft.spec?.failureDomain ?? machine.spec.failureDomain;
      if (failureDomain !== undefined) status.failureDomain = failureDomain;
    },
    outcome,
  };
}

/** Writes only the spec and enqueues the machine: the next reconcile creates the machine from the stored spec. */
function recordSpec(
  { context, infraMachine }: Scope,
  message: string,
  apply: NonNullable<Progress['apply']>,
): Progress {
  context.enqueue(keyOf(infraMachine));
  const cause = { reason: 'Identified', message };
  return { conditions: [], apply, cause, outcome: wait(cause) };
}

function stopped(type: string, reason: string, message: string): Progress {
  return { conditions: [{ type, status: 'False', reason, message }], outcome: wait({ reason, message }) };
}

/** The bootstrap data cannot be used. The message never contains the data. */
class BootstrapDataError extends Error {
  constructor(
    readonly reason: typeof kvmReasons.bootstrapFormatUnsupported | typeof kvmReasons.waitingForBootstrapData,
    message: string,
  ) {
    super(message);
    this.name = 'BootstrapDataError';
  }
}

/** Returns the bootstrap data unchanged, because its first line selects the template format. */
async function readBootstrapData(
  { read, signal }: Pick<ReconcileContext, 'read' | 'signal'>,
  machine: Frozen<Machine>,
): Promise<BootstrapData> {
  const { namespace = '' } = machine.metadata;
  const name = machine.spec.bootstrap.dataSecretName ?? '';
  const secret = await ifPresent(read.get(secrets, { namespace, name }, { signal }));
  if (secret?.data?.['value'] === undefined) {
    const problem = secret === undefined ? 'does not exist' : 'has no key "value"';
    throw new BootstrapDataError(
      kvmReasons.waitingForBootstrapData,
      `Secret ${name} with the bootstrap data ${problem}`,
    );
  }
  const { value, format: encoded } = secret.data;
  const format = encoded === undefined ? 'cloud-config' : Buffer.from(encoded, 'base64').toString('utf8');
  if (format !== 'cloud-config' && format !== 'ignition')
    throw new BootstrapDataError(
      kvmReasons.bootstrapFormatUnsupported,
      `bootstrap data format ${format} is not supported: set format: cloud-config or ignition in the bootstrap configuration`,
    );
  return { format, value: Buffer.from(value, 'base64'), secretName: name };
}
