import type { Frozen, KubeObject } from '@slipway/kube';
import { isDeleting } from '@slipway/runtime';

/** An object that has not reached its desired state, and what its conditions report about it. */
export interface Unsettled {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly reason: string;
  readonly message: string;
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

interface Parts {
  readonly spec?: { readonly paused?: boolean };
  readonly status?: { readonly nodeRef?: unknown; readonly conditions?: readonly Condition[] };
}

const groups: ReadonlySet<string> = new Set(['KubeadmControlPlane', 'MachineDeployment', 'MachineSet', 'MachinePool']);
const progressing = ['RollingOut', 'ScalingUp', 'ScalingDown', 'Remediating'] as const;

/** Returns whether waiting may bring progress: an object is being deleted, or a Machine has no Node yet. */
export function isInProgress(objects: readonly Frozen<KubeObject>[]): boolean {
  return objects.some((object) => isDeleting(object) || isStarting(object));
}

function isStarting(object: Frozen<KubeObject>): boolean {
  return object.kind === 'Machine' && (object as Parts).status?.nodeRef === undefined && !isPaused(object);
}

/** Returns the objects whose conditions report that they have not reached their desired state. */
export function unsettledOf(objects: readonly Frozen<KubeObject>[]): Unsettled[] {
  return objects.flatMap((object) => {
    const found = whyUnsettled(object);
    if (found === undefined) return [];
    const { namespace = '', name = '' } = object.metadata;
    return [{ kind: object.kind, namespace, name, ...found }];
  });
}

/** Conditions that report a failure that only a user can resolve. */
const failures: Readonly<Record<string, readonly { readonly type: string; readonly reasons: RegExp }[]>> = {
  Cluster: [{ type: 'TopologyReconciled', reasons: /^(ReconcileFailed|ClusterClassNotReconciled)$/ }],
  ClusterClass: [{ type: 'VariablesReady', reasons: /./ }],
};

/** Returns the objects whose conditions report a failure that only a user can resolve. */
export function blockedOf(objects: readonly Frozen<KubeObject>[]): Unsettled[] {
  return objects.flatMap((object) => {
    if (isDeleting(object)) return [];
    const failed = (failures[object.kind] ?? []).flatMap(({ type, reasons }) => {
      const condition = conditionOf(object, type);
      return condition?.status === 'False' && reasons.test(condition.reason ?? '') ? [condition] : [];
    });
    const { namespace = '', name = '' } = object.metadata;
    return failed.map(({ reason = '', message = '' }) => ({ kind: object.kind, namespace, name, reason, message }));
  });
}

function whyUnsettled(object: Frozen<KubeObject>): { reason: string; message: string } | undefined {
  if (isDeleting(object)) return conditionText(object, 'Deleting', 'the object is being deleted');
  if (isStarting(object)) return conditionText(object, 'Ready', 'the Machine has no Node yet');
  if (!groups.has(object.kind)) return undefined;
  const open = progressing.find((type) => conditionOf(object, type)?.status === 'True');
  return open === undefined
    ? undefined
    : conditionText(object, open, 'the object has not reached its desired state yet');
}

function conditionText(
  object: Frozen<KubeObject>,
  type: string,
  otherwise: string,
): { reason: string; message: string } {
  const { reason = type, message = '' } = conditionOf(object, type) ?? {};
  return { reason, message: message === '' ? otherwise : message };
}

function conditionOf(object: Frozen<KubeObject>, type: string): Condition | undefined {
  return (object as Parts).status?.conditions?.find((condition) => condition.type === type);
}

function isPaused(object: Frozen<KubeObject>): boolean {
  return conditionOf(object, 'Paused')?.status === 'True';
}
