import type { Frozen, KubeObject } from '@slipway/kube';
import { isDeleting } from '@slipway/runtime';

/** An object that is not where it is to be, and what it says about that. */
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

/** Whether time alone may bring it further: something is going away, or coming up. */
export function isUnderWay(objects: readonly Frozen<KubeObject>[]): boolean {
  return objects.some((object) => isDeleting(object) || isComingUp(object));
}

function isComingUp(object: Frozen<KubeObject>): boolean {
  return object.kind === 'Machine' && (object as Parts).status?.nodeRef === undefined && !isPaused(object);
}

/** Everything that is still on its way, by what its conditions say. */
export function unsettledOf(objects: readonly Frozen<KubeObject>[]): Unsettled[] {
  return objects.flatMap((object) => {
    const found = whyUnsettled(object);
    if (found === undefined) return [];
    const { namespace = '', name = '' } = object.metadata;
    return [{ kind: object.kind, namespace, name, ...found }];
  });
}

function whyUnsettled(object: Frozen<KubeObject>): { reason: string; message: string } | undefined {
  if (isDeleting(object)) return said(object, 'Deleting', 'it is being deleted');
  if (isComingUp(object)) return said(object, 'Ready', 'it has no Node yet');
  if (!groups.has(object.kind)) return undefined;
  const open = progressing.find((type) => conditionOf(object, type)?.status === 'True');
  return open === undefined ? undefined : said(object, open, 'it has not got there yet');
}

function said(object: Frozen<KubeObject>, type: string, otherwise: string): { reason: string; message: string } {
  const { reason = type, message = '' } = conditionOf(object, type) ?? {};
  return { reason, message: message === '' ? otherwise : message };
}

function conditionOf(object: Frozen<KubeObject>, type: string): Condition | undefined {
  return (object as Parts).status?.conditions?.find((condition) => condition.type === type);
}

function isPaused(object: Frozen<KubeObject>): boolean {
  return conditionOf(object, 'Paused')?.status === 'True';
}
