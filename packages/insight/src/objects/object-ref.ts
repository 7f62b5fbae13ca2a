import type { Frozen, KubeObject } from '@slipway/kube';
import { parseApiVersion } from '@slipway/kube';

/** References an object without its API version, as owner references, events and users do. */
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

export function refKey({ group, kind, namespace, name }: ObjectRef): string {
  return [group, kind, namespace, name].join('|');
}

/** Formats a reference like clusterctl: `Machine default/a`. */
export function refText({ kind, namespace, name }: ObjectRef): string {
  return namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/**
 * Groups whose kind names are unique, so that kubectl needs no group. The group of Supervisor mode is not included: it has the same
 * kind names as vCenter mode.
 */
const plainGroup = /^((infrastructure|bootstrap|controlplane|addons|ipam|runtime|operator)\.)?cluster\.x-k8s\.io$/;

/**
 * Returns the kubectl arguments of an object, such as `machine/a -n default`. Includes the group only if the kind alone is
 * ambiguous.
 */
export function kubectlArguments({ group, kind, namespace, name }: ObjectRef): string {
  const type = group === '' || plainGroup.test(group) ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
  return namespace === '' ? `${type}/${name}` : `${type}/${name} -n ${namespace}`;
}
