import { addressPoolOf, claimAddress, type IPAddress } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { confirmWanted, edit, type Outcome, patchObject, type ReconcileContext, wait } from '@slipway/runtime';
import { type HostMachine, hostConditions, hostMachines, hostReasons } from '../api/index.js';
import { BootstrapDataError } from '../bootstrap/index.js';
import type { Engine, MachineState } from '../engine/index.js';
import { NodeFilesMissing } from '../node-files/index.js';
import { HostReport } from '../report/index.js';
import { seedOfMachine } from './machine-seed.js';
import type { ObservedHostMachine } from './observe.js';
import { type Missing, whatIsMissing } from './prerequisites.js';

const { addressAllocated, machineRunning, bootstrapExecSucceeded } = hostConditions;
const conditionTypes = [addressAllocated, machineRunning, bootstrapExecSucceeded];

/** For Machines that name none, as those that people make by hand. */
const versionDefault = 'v1.36.3';

type Observed = Frozen<HostMachine>;

/** Brings the machine as far as it can be brought now, and writes down how far that is. */
export async function provisionMachine(
  observed: ObservedHostMachine,
  context: ReconcileContext,
  engine: Engine,
): Promise<Outcome> {
  const { hostMachine, hostCluster } = observed;
  const report = new HostReport(conditionTypes, context.clock.now());
  const isStarted = hostMachine.status?.initialization?.provisioned === true;
  // A machine that runs goes on whatever becomes of what it once waited for.
  const missing = isStarted ? undefined : whatIsMissing(observed);
  if (missing !== undefined || hostCluster === undefined)
    return waitFor(context, hostMachine, report, addressAllocated, missing ?? noCluster);
  const { address, problem } = await claimAddress(context, hostMachine, addressPoolOf(hostCluster));
  if (address === undefined)
    return waitFor(context, hostMachine, report, addressAllocated, noAddress(hostMachine, problem?.message));
  report.holds(addressAllocated);
  let state = await engine.machineState(hostMachine.metadata.uid ?? '');
  if (state.phase === 'absent' && !isStarted) {
    const obstacle = await start(observed, context, engine, address);
    if (obstacle !== undefined) return waitFor(context, hostMachine, report, machineRunning, obstacle);
    state = { ...state, phase: 'running' };
  }
  const outcome = tell(report, state);
  await write(context, hostMachine, report.applyTo(withFacts(hostMachine, address)));
  return outcome;
}

const noCluster: Missing = { reason: hostReasons.waitingForMachine, message: 'the HostCluster does not exist' };

function noAddress({ metadata }: Observed, why?: string): Missing {
  const message = `IPAddressClaim ${metadata.name ?? ''} has no address yet${why === undefined ? '' : `: ${why}`}`;
  return { reason: hostReasons.waitingForAddress, message };
}

const hostNameLengthMax = 63;

/** Starts the machine, or says what keeps it from being started. */
async function start(
  { hostMachine, machine, hostCluster }: ObservedHostMachine,
  context: ReconcileContext,
  engine: Engine,
  address: Frozen<IPAddress>,
): Promise<Missing | undefined> {
  if (machine === undefined || hostCluster === undefined) return noCluster;
  const problems = await engine.problems();
  if (problems.length > 0) return { reason: hostReasons.hostNotSupported, message: problems.join('; ') };
  const { uid = '', name = '' } = hostMachine.metadata;
  if (name.length > hostNameLengthMax) {
    const message = `a host name has at most ${hostNameLengthMax} characters, and this name has ${name.length}`;
    return { reason: hostReasons.nameTooLong, message };
  }
  try {
    const nodeFiles = await engine.nodeFiles(machine.spec.version ?? versionDefault);
    const seed = await seedOfMachine(context, hostMachine, machine, address);
    await confirmWanted(context, hostMachines, hostMachine);
    await engine.startMachine({
      id: uid,
      name,
      networkId: hostCluster.metadata.uid ?? '',
      address: `${address.spec.address}/${address.spec.prefix}`,
      gateway: address.spec.gateway ?? '',
      providerId: providerIdOf(hostMachine),
      nodeFiles,
      seed,
    });
    return undefined;
  } catch (error) {
    if (error instanceof NodeFilesMissing) return { reason: hostReasons.nodeFilesMissing, message: error.message };
    if (error instanceof BootstrapDataError)
      return { reason: hostReasons.bootstrapDataNotUsable, message: error.message };
    throw error;
  }
}

/** The machine is not a child of ours, and its files tell of its bootstrap but not of its end: so we look. */
const lookAgainMs = 10_000;
const lookSoonMs = 2_000;

function tell(report: HostReport, { phase, bootstrap, log }: MachineState): Outcome {
  if (phase !== 'running') {
    const message =
      phase === 'ended'
        ? `the machine was switched off: its first process has ended; see ${log}`
        : 'the machine was here, and its files are gone';
    report.fails(machineRunning, hostReasons.machineEnded, message);
    if (bootstrap === 'succeeded') report.holds(bootstrapExecSucceeded);
    return wait({ reason: hostReasons.machineEnded, message });
  }
  report.holds(machineRunning);
  if (bootstrap === 'succeeded') {
    report.holds(bootstrapExecSucceeded);
    return wait({ ms: lookAgainMs, reason: 'Watching', message: 'looks whether the machine still runs' });
  }
  if (bootstrap === 'failed') {
    const message = `the bootstrap data was carried out and did not succeed: see ${log}`;
    report.fails(bootstrapExecSucceeded, hostReasons.bootstrapFailed, message);
    return wait({ ms: lookAgainMs, reason: hostReasons.bootstrapFailed, message });
  }
  const message = 'the bootstrap data is being carried out';
  report.fails(bootstrapExecSucceeded, hostReasons.bootstrapRunning, message);
  return wait({ ms: lookSoonMs, reason: hostReasons.bootstrapRunning, message });
}

/** What is known of the machine itself once it runs. */
function withFacts(hostMachine: Observed, address: Frozen<IPAddress>): Observed {
  return edit(hostMachine, (draft) => {
    draft.spec ??= {};
    draft.spec.providerID = providerIdOf(hostMachine);
    draft.status ??= {};
    draft.status.initialization = { provisioned: true };
    draft.status.addresses = [
      { type: 'InternalIP', address: address.spec.address },
      { type: 'Hostname', address: hostMachine.metadata.name ?? '' },
    ];
  });
}

function providerIdOf({ metadata }: Pick<Observed, 'metadata'>): string {
  return `host://${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/** When somebody prepares node files or installs a program, nothing tells us. */
const retryMs = 10_000;

async function waitFor(
  context: ReconcileContext,
  hostMachine: Observed,
  report: HostReport,
  type: string,
  { reason, message }: Missing,
): Promise<Outcome> {
  report.fails(type, reason, message);
  await write(context, hostMachine, report.applyTo(hostMachine));
  return wait({ ...(type === machineRunning ? { ms: retryMs } : {}), reason, message });
}

async function write({ client, signal }: ReconcileContext, before: Observed, after: Observed): Promise<void> {
  const ownedConditions = [hostConditions.ready, ...conditionTypes];
  await patchObject(client, hostMachines, before, after, { ownedConditions, signal });
}
