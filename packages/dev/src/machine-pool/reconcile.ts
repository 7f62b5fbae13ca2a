import {
  clusterOf,
  isPaused,
  type MachinePool,
  machinePools,
  machines,
  type ObservedCluster,
  openReconcile,
  ownerNameOf,
} from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type Change,
  done,
  isDeleting,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
  type Sources,
  wait,
} from '@slipway/runtime';
import { devFinalizers, type DevMachine, type DevMachinePool, devMachinePools, devMachines } from '../api/index.js';
import { isUpToDate, machineOfPool, machinesOfPool } from './pool-machines.js';
import { planPool } from './pool-plan.js';
import { writeStatus } from './pool-status.js';
import { whatIsMissing } from './prerequisites.js';

/** The objects that one pool depends on. */
export interface PoolScope {
  readonly context: ReconcileContext;
  readonly devPool: Frozen<DevMachinePool>;
  readonly pool: Frozen<MachinePool>;
  readonly cluster: ObservedCluster;
  readonly members: readonly Frozen<DevMachine>[];
}

/** Maintains the desired replicas of the MachinePool as DevMachines, each with its own Machine. */
export async function reconcileDevMachinePool(key: ObjectKey, context: ReconcileContext): Promise<Outcome> {
  const { sources } = context;
  const devPool = sources.sourceFor(devMachinePools).get(key);
  if (devPool === undefined) return done();
  const members = machinesOfPool(sources, devPool);
  const pool = ownerPool(sources, devPool);
  const cluster = pool === undefined ? undefined : clusterOf(sources, pool);
  if (isDeleting(devPool)) {
    if (isPaused(devPool, cluster)) return done();
    await context.changeAll(members.flatMap(deleteMember));
    if (members.length > 0)
      return wait({
        reason: 'WaitingForMachinesDeletion',
        message: 'Waiting for the machines of the pool to be deleted',
      });
    await releaseFinalizer(context, devMachinePools, devPool, devFinalizers.devMachinePool);
    return done();
  }
  if (pool === undefined || cluster === undefined)
    return wait({
      reason: 'WaitingForOwner',
      message: 'Waiting for the MachinePool controller to set the owner reference',
    });
  if (!(await openReconcile(context, devMachinePools, devPool, { finalizer: devFinalizers.devMachinePool, cluster })))
    return done();
  return fill({ context, devPool, pool, cluster, members });
}

async function fill(scope: PoolScope): Promise<Outcome> {
  const { context, pool, members } = scope;
  const missing = whatIsMissing(scope);
  if (missing !== undefined) {
    await writeStatus(scope, missing);
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
  await context.changeAll([
    ...Array.from({ length: plan.create }, () => createMember(scope)),
    ...members.filter(({ metadata }) => plan.delete.includes(metadata.name ?? '')).flatMap(deleteMember),
  ]);
  await writeStatus(scope);
  return done();
}

function createMember({ context, devPool, pool }: PoolScope): Change {
  const object = machineOfPool(devPool, pool, context.random);
  const message = `Created DevMachine ${object.metadata.name ?? ''} for MachinePool ${pool.metadata.name ?? ''}`;
  return { verb: 'create', resource: devMachines, object, reason: 'ScalingUp', message };
}

/** Returns the deletion of a machine. Deletes its Machine if there is one, so that the Node is drained first. */
function deleteMember(member: Frozen<DevMachine>): Change[] {
  if (isDeleting(member)) return [];
  const { namespace = '', name = '' } = member.metadata;
  const machine = ownerNameOf(machines, member);
  const resource = machine === undefined ? devMachines : machines;
  const key = { namespace, name: machine ?? name };
  return [
    { verb: 'delete', resource, key, reason: 'ScalingDown', message: `Deleted ${resource.kind} ${key.name} of a pool` },
  ];
}

function ownerPool(sources: Sources, devPool: Frozen<DevMachinePool>): Frozen<MachinePool> | undefined {
  const name = ownerNameOf(machinePools, devPool);
  const { namespace = '' } = devPool.metadata;
  return name === undefined ? undefined : sources.sourceFor(machinePools).get({ namespace, name });
}
