import { claimAddress, clusterNameOf, isControlPlaneMachine, keysOfCluster, whatIsMissing } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { edit, keyOf, type Outcome, patchObject, type ReconcileContext, ReconcileError, wait } from '@slipway/runtime';
import { type KVMMachine, kvmConditions, kvmMachines, kvmReasons } from '../api/index.js';
import { applyConditions } from '../report/index.js';
import { allocatesAddresses, poolReferenceOf } from './address.js';
import { BootstrapDataError, readBootstrapData } from './bootstrap-data.js';
import { uuidOf, withIdentity } from './identity.js';
import { networkModeOf } from './network-plan.js';
import type { ObservedKVMMachine } from './observe.js';
import type { VirtualMachineService, VmCondition, VmReport, WantedMachine } from './vm-service.js';

type Observed = Frozen<KVMMachine>;
/** What a reconcile needs, with all that it waited for. */
type Complete = Required<ObservedKVMMachine> & { [K in keyof ObservedKVMMachine]: NonNullable<ObservedKVMMachine[K]> };

const { bootstrapDataAvailable, imageReady, disksReady, vmProvisioned, vmRunning, bootstrapSucceeded } = kvmConditions;
/** What a machine that does its work has. Whether its bootstrap succeeded, its Node tells. */
const readyTypes = [bootstrapDataAvailable, imageReady, disksReady, vmProvisioned, vmRunning];
const ownedConditions = [kvmConditions.ready, ...readyTypes, bootstrapSucceeded, kvmConditions.deleting];
const hostNameLengthMax = 63;

/** Brings the machine as far as it can be brought now, and writes down how far that is. */
export async function provisionMachine(
  observed: ObservedKVMMachine,
  context: ReconcileContext,
  service: VirtualMachineService,
): Promise<Outcome> {
  const { kvmMachine, machine, cluster, kvmCluster } = observed;
  const wasProvisioned = isProvisioned(observed);
  // A machine that runs goes on whatever becomes of what it once waited for.
  const missing = wasProvisioned ? undefined : whatIsMissing(observed);
  if (missing !== undefined || machine === undefined || cluster === undefined || kvmCluster === undefined) {
    const { reason, message } = missing ?? noCluster;
    return stop(context, kvmMachine, { type: bootstrapDataAvailable, status: 'False', reason, message });
  }
  const complete: Complete = { kvmMachine, machine, cluster, kvmCluster };
  const problem = problemOf(complete, context, service);
  if (problem !== undefined) return stop(context, kvmMachine, problem);
  const identified = withIdentity(kvmMachine, identityChoices(complete, context, service), context.random);
  if (identified !== kvmMachine) return writeSpec(context, kvmMachine, identified);
  if (allocatesAddresses(kvmCluster, service.backend) && (kvmMachine.spec?.network?.ipAddresses ?? []).length === 0)
    return allocate(complete, context);
  const report = await ensure(complete, context, service, wasProvisioned).catch(async (error) => {
    if (error instanceof ReconcileError) await stop(context, kvmMachine, failureOf(error, wasProvisioned));
    throw error;
  });
  await write(context, kvmMachine, withReport(complete, report, context.clock.now()));
  return report.outcome;
}

/** What is wrong is said where people look, before it is tried again. Of a machine that runs nothing was found out. */
function failureOf({ reason, message }: ReconcileError, wasProvisioned: boolean): VmCondition {
  return wasProvisioned
    ? { type: vmRunning, status: 'Unknown', reason, message }
    : { type: vmProvisioned, status: 'False', reason, message };
}

const noCluster = {
  reason: kvmReasons.waitingForClusterInfrastructure,
  message: "the Cluster's infrastructure is no KVMCluster: KVMMachines work with one",
};

/** Written down by the Machine, too, whose spec is not lost in a move. */
function isProvisioned({ kvmMachine, machine }: ObservedKVMMachine): boolean {
  return kvmMachine.status?.initialization?.provisioned === true || machine?.spec.providerID !== undefined;
}

function problemOf(
  { kvmMachine, kvmCluster }: Complete,
  { sources }: ReconcileContext,
  service: VirtualMachineService,
): VmCondition | undefined {
  const { name = '' } = kvmMachine.metadata;
  const wrong = (reason: string, message: string): VmCondition => ({
    type: vmProvisioned,
    status: 'False',
    reason,
    message,
  });
  if (name.length > hostNameLengthMax)
    return wrong(
      kvmReasons.invalidSpec,
      `a host name has at most ${hostNameLengthMax} characters, and this name has ${name.length}`,
    );
  const { hostName } = kvmMachine.spec ?? {};
  if (service.hostName !== undefined && hostName !== undefined && hostName !== service.hostName)
    return wrong(
      kvmReasons.hostUnreachable,
      `the machine belongs to host ${hostName}, and this is ${service.hostName}: run Slipway there`,
    );
  if (networkModeOf(kvmCluster, service.backend) !== 'user') return undefined;
  const other = machinesOfCluster({ kvmMachine }, sources).find((each) => uuidOf(each) !== undefined);
  return other === undefined
    ? undefined
    : wrong(
        kvmReasons.invalidSpec,
        `in network mode user every machine is 10.0.2.15, and ${other.metadata.name ?? ''} is one already: use mode segment`,
      );
}

function machinesOfCluster(
  { kvmMachine }: Pick<Complete, 'kvmMachine'>,
  sources: ReconcileContext['sources'],
): Observed[] {
  const source = sources.sourceFor(kvmMachines);
  const { namespace = '', name = '' } = kvmMachine.metadata;
  const cluster = clusterNameOf({ metadata: kvmMachine.metadata }) ?? '';
  return keysOfCluster(sources, kvmMachines, { namespace, name: cluster })
    .filter((key) => key.name !== name)
    .map((key) => source.get(key))
    .filter((each) => each !== undefined);
}

function identityChoices(complete: Complete, { sources }: ReconcileContext, service: VirtualMachineService) {
  const others = uuidOf(complete.kvmMachine) === undefined ? machinesOfCluster(complete, sources) : [];
  return {
    backend: service.backend,
    hostName: service.hostName,
    interfaceIndex: networkModeOf(complete.kvmCluster, service.backend) === 'segment' ? 1 : 0,
    clusterName: complete.cluster.metadata.name ?? '',
    takenMacAddresses: new Set(others.map(({ spec }) => spec?.network?.macAddress ?? '')),
  };
}

async function allocate({ kvmMachine, kvmCluster }: Complete, context: ReconcileContext): Promise<Outcome> {
  const { address, problem } = await claimAddress(context, kvmMachine, poolReferenceOf(kvmCluster));
  if (address === undefined) {
    const isFull = problem?.reason === 'PoolExhausted';
    const reason = isFull ? kvmReasons.allocationExhausted : kvmReasons.waitingForAddress;
    const message = `IPAddressClaim ${kvmMachine.metadata.name ?? ''} has no address yet: ${problem?.message ?? 'it was just made'}`;
    return stop(context, kvmMachine, { type: vmProvisioned, status: 'False', reason, message });
  }
  const after = edit(kvmMachine, (draft) => {
    draft.spec ??= {};
    draft.spec.network ??= {};
    draft.spec.network.ipAddresses = [`${address.spec.address}/${address.spec.prefix ?? 24}`];
    if (address.spec.gateway !== undefined) draft.spec.network.gateway ??= address.spec.gateway;
  });
  return writeSpec(context, kvmMachine, after);
}

async function ensure(
  { kvmMachine, kvmCluster, machine, cluster }: Complete,
  context: ReconcileContext,
  service: VirtualMachineService,
  wasProvisioned: boolean,
): Promise<VmReport> {
  const wanted: WantedMachine = {
    uuid: uuidOf(kvmMachine) ?? '',
    kvmMachine,
    kvmCluster,
    machine,
    cluster,
    isControlPlane: isControlPlaneMachine(machine),
    wasProvisioned,
    readBootstrapData: () => readBootstrapData(context, machine),
  };
  try {
    const report = await service.ensure(wanted, context);
    return { ...report, conditions: [available, ...report.conditions] };
  } catch (error) {
    if (!(error instanceof BootstrapDataError)) throw error;
    const { reason, message } = error;
    return {
      state: 'pending',
      conditions: [{ type: bootstrapDataAvailable, status: 'False', reason, message }],
      addresses: [],
      outcome: wait({ ms: lookAgainMs, reason, message }),
    };
  }
}

/** Secrets are not watched: there may be thousands, and this one is read once. */
const lookAgainMs = 10_000;
const available: VmCondition = { type: bootstrapDataAvailable, status: 'True', reason: 'Available', message: '' };

/** Once provisioned, a machine stays so: what becomes of it later its conditions say, and health checks judge. */
function withReport({ kvmMachine, machine }: Complete, report: VmReport, nowMs: number): Observed {
  const isUp = report.conditions.some(({ type, status }) => type === vmProvisioned && status === 'True');
  return edit(kvmMachine, (draft) => {
    draft.status ??= {};
    const { status } = draft;
    if (isUp) status.initialization = { provisioned: true };
    if (status.initialization?.provisioned === true) status.ready = true;
    status.machineState = report.state;
    if (report.addresses.length > 0) status.addresses = [...report.addresses];
    if (report.vm !== undefined) status.vm = report.vm;
    const failureDomain = draft.spec?.failureDomain ?? machine.spec.failureDomain;
    if (failureDomain !== undefined) status.failureDomain = failureDomain;
    status.observedGeneration = kvmMachine.metadata.generation ?? 0;
    applyConditions(draft, report.conditions, readyTypes, nowMs);
  });
}

/** The spec goes first, by itself: what is made from it comes with the next look. */
async function writeSpec(context: ReconcileContext, before: Observed, after: Observed): Promise<Outcome> {
  await write(context, before, after);
  context.enqueue(keyOf(before));
  return wait({ reason: 'Identified', message: 'the identity of the machine was written down' });
}

async function stop(context: ReconcileContext, kvmMachine: Observed, condition: VmCondition): Promise<Outcome> {
  const after = edit(kvmMachine, (draft) => {
    draft.status ??= {};
    draft.status.machineState ??= 'pending';
    applyConditions(draft, [condition], readyTypes, context.clock.now());
  });
  await write(context, kvmMachine, after);
  return wait({ reason: condition.reason, message: condition.message ?? '' });
}

export async function write({ client, signal }: ReconcileContext, before: Observed, after: Observed): Promise<void> {
  await patchObject(client, kvmMachines, before, after, { ownedConditions, signal });
}
