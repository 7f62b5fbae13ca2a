import type { Frozen, KubeObject } from '@slipway/kube';
import { parseApiVersion } from '@slipway/kube';

/** Names an object without its version: what an owner reference, an event or a person says. */
export interface ObjectRef {
  readonly group: string;
  readonly kind: string;
  /** '' for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

export type Observed = Frozen<KubeObject>;

export function refOf(object: Observed): ObjectRef {
  const { namespace = '', name = '' } = object.metadata;
  return { group: parseApiVersion(object.apiVersion).group, kind: object.kind, namespace, name };
}

export function sameRef(left: ObjectRef, right: ObjectRef): boolean {
  return refKey(left) === refKey(right);
}

export function refKey({ group, kind, namespace, name }: ObjectRef): string {
  return [group, kind, namespace, name].join('|');
}

/** `Machine default/a`, as clusterctl writes it. */
export function refText({ kind, namespace, name }: ObjectRef): string {
  return namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** What kubectl takes: `machine/a -n default`. The group only where the kind alone could mean another one. */
export function kubectlWords({ group, kind, namespace, name }: ObjectRef): string {
  const type =
    group === '' || group.endsWith('cluster.x-k8s.io') ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
  return namespace === '' ? `${type}/${name}` : `${type}/${name} -n ${namespace}`;
}
