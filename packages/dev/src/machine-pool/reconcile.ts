import {
  clusterOf,
  type MachinePool,
  machinePools,
  machines,
  type ObservedCluster,
  ownerNameOf,
} from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  done,
  ifPresent,
  isDeleting,
  isPaused,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
  type Sources,
  wait,
  openReconcile,
} from '@slipway/runtime';
import { devFinalizers, type DevMachine, type DevMachinePool, devMachinePools, devMachines } from '../api/index.js';
import { isUpToDate, machineOfPool, machinesOfPool } from './pool-machines.js';
import { planPool } from './pool-plan.js';
import { writeStatus } from './pool-status.js';
import { whatIsMissing } from './prerequisites.js';

/** What one pass knows. */
export interface PoolPass {
  readonly context: ReconcileContext;
  readonly devPool: Frozen<DevMachinePool>;
  readonly pool: Frozen<MachinePool>;
  readonly cluster: ObservedCluster;
  readonly members: readonly Frozen<DevMachine>[];
}

/** Keeps as many simulated machines as the MachinePool wants; each is a DevMachine, with a Machine of its own. */
export async function reconcileDevMachinePool(key: ObjectKey, context: ReconcileContext): Promise<Outcome> {
  const { sources } = context;
  const devPool = sources.sourceFor(devMachinePools).get(key);
  if (devPool === undefined) return done();
  const members = machinesOfPool(sources, devPool);
  const pool = ownerPool(sources, devPool);
  const cluster = pool === undefined ? undefined : clusterOf(sources, pool);
  if (isDeleting(devPool)) {
    if (isPaused(devPool, cluster)) return done();
    for (const member of members) await removeMember(context, member);
    if (members.length > 0) return wait({ reason: 'WaitingForMachinesDeletion', message: 'its machines are going' });
    await releaseFinalizer(context, devMachinePools, devPool, devFinalizers.devMachinePool);
    return done();
  }
  if (pool === undefined || cluster === undefined)
    return wait({ reason: 'WaitingForOwner', message: 'no MachinePool owns this DevMachinePool yet' });
  if (!(await openReconcile(context, devMachinePools, devPool, { finalizer: devFinalizers.devMachinePool, cluster })))
    return done();
  return fill({ context, devPool, pool, cluster, members });
}

async function fill(pass: PoolPass): Promise<Outcome> {
  const { context, devPool, pool, members } = pass;
  const missing = whatIsMissing(pass);
  if (missing !== undefined) {
    await writeStatus(pass, missing);
    return wait(missing);
  }
  const plan = planPool(
    members.map((member) => ({
      name: member.metadata.name ?? '',
      isUpToDate: isUpToDate(member, pool),
      isReady: member.status?.initialization?.provisioned === true,
      isDeleting: isDeleting(member),
    })),
    pool.spec.replicas ?? 1,
  );
  for (let made = 0; made < plan.create; made += 1)
    await context.client.create(devMachines, machineOfPool(devPool, pool, context.random), { signal: context.signal });
  const leaving = new Set(plan.delete);
  for (const member of members) if (leaving.has(member.metadata.name ?? '')) await removeMember(context, member);
  await writeStatus(pass);
  return done();
}

/** Through its Machine where it has one, so that the Node is drained first. */
async function removeMember({ client, signal }: ReconcileContext, member: Frozen<DevMachine>): Promise<void> {
  if (isDeleting(member)) return;
  const { namespace = '', name = '' } = member.metadata;
  const machine = ownerNameOf(machines, member);
  if (machine === undefined) await ifPresent(client.delete(devMachines, { namespace, name }, { signal }));
  else await ifPresent(client.delete(machines, { namespace, name: machine }, { signal }));
}

function ownerPool(sources: Sources, devPool: Frozen<DevMachinePool>): Frozen<MachinePool> | undefined {
  const name = ownerNameOf(machinePools, devPool);
  const { namespace = '' } = devPool.metadata;
  return name === undefined ? undefined : sources.sourceFor(machinePools).get({ namespace, name });
}
