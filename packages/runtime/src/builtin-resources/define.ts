import type { KubeObject, ObjectMeta } from '@slipway/kube';
import type { Resource } from '../client/index.js';

/** An object of a built-in kind: what stands in `Fields`, beside the parts that every object has. */
export type BuiltinObject<ApiVersion extends string, Kind extends string, Fields extends object = object> = {
  apiVersion: ApiVersion;
  kind: Kind;
  metadata: ObjectMeta;
} & Fields;

export function namespacedResource<T extends KubeObject>(
  group: string,
  version: string,
  kind: T['kind'],
  plural: string,
): Resource<T> {
  return { group, version, kind, plural, namespaced: true };
}

export function clusterResource<T extends KubeObject>(
  group: string,
  version: string,
  kind: T['kind'],
  plural: string,
): Resource<T> {
  return { group, version, kind, plural, namespaced: false };
}

export type Condition = {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string | null;
};

export type LabelSelectorValue = {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
};

export type ObjectReference = {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  resourceVersion?: string;
  fieldPath?: string;
};
