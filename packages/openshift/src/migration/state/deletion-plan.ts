import type { Frozen, KubeObject } from '@slipway/kube';
import type { Authority } from './migration-plan.js';

export const syncFinalizer = 'sync.machine.openshift.io/finalizer';
const mapiFinalizer = 'machine.machine.openshift.io';

type Side = 'mapi' | 'capi' | 'infra';
type Objects = Readonly<Record<Side, Frozen<KubeObject> | undefined>>;

export type DeletionStep =
  | { readonly type: 'delete'; readonly side: Side }
  | { readonly type: 'release'; readonly side: Side; readonly finalizers: readonly string[] }
  | { readonly type: 'wait'; readonly message: string }
  | { readonly type: 'done' };

/**
 * Returns the next step of deleting a machine or a set in both APIs. The authoritative API deletes the instance and removes its
 * own finalizers. Those of the paused mirror are removed here afterwards, because no other controller removes them.
 */
export function planMachineDeletion(authority: Authority, objects: Objects): DeletionStep {
  for (const side of ['mapi', 'capi'] as const)
    if (objects[side] !== undefined && !isDeleting(objects[side])) return { type: 'delete', side };
  return authority === 'MachineAPI' ? afterMachineApi(objects) : afterClusterApi(objects);
}

function afterMachineApi({ mapi, capi, infra }: Objects): DeletionStep {
  return (
    waitFor('mapi', mapi) ??
    release('infra', infra, isAny) ??
    (infra !== undefined && !isDeleting(infra) ? { type: 'delete', side: 'infra' } : undefined) ??
    release('capi', capi, isAny) ??
    release('mapi', mapi, isSync) ?? { type: 'done' }
  );
}

/**
 * Plans the deletion with Cluster API authoritative. The infrastructure machine is released first, because the Machine
 * waits for its deletion.
 */
function afterClusterApi({ mapi, capi, infra }: Objects): DeletionStep {
  return (
    waitFor('infra', infra) ??
    (infra !== undefined && isDeleting(infra) ? release('infra', infra, isSync) : undefined) ??
    waitFor('capi', capi) ??
    release('mapi', mapi, isProviders) ??
    release('infra', infra, isSync) ??
    release('capi', capi, isSync) ??
    release('mapi', mapi, isSync) ?? { type: 'done' }
  );
}

function waitFor(side: Side, object: Frozen<KubeObject> | undefined): DeletionStep | undefined {
  const left = finalizersOf(object).filter(isProviders);
  return left.length === 0 ? undefined : { type: 'wait', message: `Waiting for ${side} to remove ${left.join(', ')}` };
}

function release(
  side: Side,
  object: Frozen<KubeObject> | undefined,
  isMine: (finalizer: string) => boolean,
): DeletionStep | undefined {
  const finalizers = finalizersOf(object).filter(isMine);
  return finalizers.length === 0 ? undefined : { type: 'release', side, finalizers };
}

const isSync = (finalizer: string): boolean => finalizer === syncFinalizer;
const isAny = (finalizer: string): boolean => isSync(finalizer) || isProviders(finalizer);

function isDeleting(object: Frozen<KubeObject>): boolean {
  return typeof object.metadata.deletionTimestamp === 'string';
}

function finalizersOf(object: Frozen<KubeObject> | undefined): readonly string[] {
  return object?.metadata.finalizers ?? [];
}

/**
 * Returns whether a finalizer is from a controller that manages the instance: the machine controllers of both APIs and the
 * providers.
 */
function isProviders(finalizer: string): boolean {
  return (
    finalizer === mapiFinalizer || finalizer.endsWith('.cluster.x-k8s.io') || finalizer.startsWith('cluster.x-k8s.io/')
  );
}
