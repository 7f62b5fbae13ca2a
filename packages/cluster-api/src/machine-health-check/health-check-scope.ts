import { type Frozen, type KubeObject, parseApiVersion } from '@slipway/kube';
import type { AnyIndex, ObjectKey, ReconcileContext, Resource, Source } from '@slipway/runtime';
import type { Machine } from '../api/index.js';
import type { ObservedCluster } from '../reconcile/index.js';
import type { ClusterCache } from '../toolkit/index.js';
import type { ObservedHealthCheck } from './target-health.js';

/** The state of one reconcile of a MachineHealthCheck. */
export interface HealthCheckScope {
  readonly context: ReconcileContext;
  readonly workloads: ClusterCache;
  readonly cluster: ObservedCluster;
  readonly healthCheck: ObservedHealthCheck;
}

/** External remediation requests. Used if the health check references a remediation template. */
export interface RemediationRequests {
  readonly resource: Resource;
  readonly source: Source;
  readonly template: { readonly resource: Resource; readonly key: ObjectKey };
}

/** Indexes health checks by Cluster: `namespace/cluster`. */
export const clusterIndex: AnyIndex = {
  name: 'cluster of spec',
  valuesOf: (object) => {
    const plain: Frozen<KubeObject> & { readonly spec?: { readonly clusterName?: string } } = object;
    return [`${plain.metadata.namespace ?? ''}/${plain.spec?.clusterName ?? ''}`];
  },
};

/** Indexes machines by their Node: `namespace/cluster/node`. */
export const nodeIndex: AnyIndex = {
  name: 'node',
  valuesOf: (object) => {
    const plain: Frozen<KubeObject> = object;
    const { spec, status } = plain as unknown as Frozen<Machine>;
    const name = status?.nodeRef?.name;
    return name === undefined ? [] : [`${plain.metadata.namespace ?? ''}/${spec.clusterName}/${name}`];
  },
};

/** Returns the kind of the requests that a remediation template describes. */
export function requestKindOf(templateRef: { readonly apiVersion: string; readonly kind: string }): {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
} {
  return { ...parseApiVersion(templateRef.apiVersion), kind: templateRef.kind.replace(/Template$/, '') };
}
