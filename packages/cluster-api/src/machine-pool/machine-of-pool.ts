import { type Frozen, type KubeObject, parseApiVersion } from '@slipway/kube';
import { isDeleting, ownerReference } from '@slipway/runtime';
import { finalizers, labels } from '../api/index.js';
import { type ObservedMachine, nameOf } from '../machines/index.js';
import type { MachineIntent } from '../machine-set/index.js';
import { formatLabelValue } from '../naming/index.js';
import type { ObservedPool } from './pool-pass.js';

/** The Machine that stands for one machine of the infrastructure. It has no bootstrap data of its own: the pool has. */
export function machineOfPool(
  pool: ObservedPool,
  infrastructure: Frozen<KubeObject>,
  existing: ObservedMachine | undefined,
  version: string | undefined,
): MachineIntent {
  const { group } = parseApiVersion(infrastructure.apiVersion);
  const { clusterName, template } = pool.spec;
  const uid = existing?.metadata.uid;
  const known = version ?? existing?.spec.version;
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      name: existing === undefined ? nameOf(infrastructure) : nameOf(existing),
      namespace: pool.metadata.namespace ?? '',
      ...(uid === undefined ? {} : { uid }),
      labels: {
        ...template.metadata?.labels,
        [labels.poolName]: formatLabelValue(nameOf(pool)),
        [labels.clusterName]: clusterName,
      },
      annotations: { ...template.metadata?.annotations },
      ownerReferences: [ownerReference(pool, { controller: true })],
      ...(existing !== undefined && isDeleting(existing) ? {} : { finalizers: [finalizers.machine] }),
    },
    spec: {
      clusterName,
      bootstrap: { dataSecretName: '' },
      infrastructureRef: { apiGroup: group, kind: infrastructure.kind, name: nameOf(infrastructure) },
      ...(known === undefined ? {} : { version: known }),
    },
  };
}
