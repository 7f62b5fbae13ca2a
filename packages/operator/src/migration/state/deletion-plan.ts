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
 * The next step of deleting a machine on both sides. The side that decides ends the instance with its own finalizers, which
 * are never taken from it; those of the paused mirror, which nobody else would take off, go after that.
 */
export function planMachineDeletion(authority: Authority, objects: Objects): DeletionStep {
  const [decides, mirrors]: [readonly Side[], readonly Side[]] =
    authority === 'MachineAPI' ? [['mapi'], ['infra', 'capi']] : [['infra', 'capi'], ['mapi']];
  for (const side of ['mapi', 'capi'] as const)
    if (objects[side] !== undefined && !isGoing(objects[side])) return { type: 'delete', side };
  for (const side of decides) {
    const left = finalizersOf(objects[side]).filter((finalizer) => finalizer !== syncFinalizer);
    if (left.some(isProviders)) return { type: 'wait', message: `${side} still has ${left.join(', ')}` };
  }
  for (const side of [...mirrors, ...decides]) {
    const object = objects[side];
    const mine = finalizersOf(object).filter(
      (finalizer) => finalizer === syncFinalizer || (mirrors.includes(side) && isProviders(finalizer)),
    );
    if (object !== undefined && mine.length > 0) return { type: 'release', side, finalizers: mine };
    if (object !== undefined && side === 'infra' && !isGoing(object)) return { type: 'delete', side };
  }
  return { type: 'done' };
}

function isGoing(object: Frozen<KubeObject>): boolean {
  return typeof object.metadata.deletionTimestamp === 'string';
}

function finalizersOf(object: Frozen<KubeObject> | undefined): readonly string[] {
  return object?.metadata.finalizers ?? [];
}

/** Of whoever runs the instance: the machine controllers of both APIs and the providers. */
function isProviders(finalizer: string): boolean {
  return (
    finalizer === mapiFinalizer || finalizer.endsWith('.cluster.x-k8s.io') || finalizer.startsWith('cluster.x-k8s.io/')
  );
}
