import { labels, secretTypes } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { Secret } from '@slipway/runtime';
import type { KubeadmConfig } from '../api/index.js';
import type { BootstrapData } from './bootstrap-data.js';

/** The Secret that infrastructure providers read: named like its KubeadmConfig, and owned by it. */
export function bootstrapDataSecret(
  config: Pick<Frozen<KubeadmConfig>, 'metadata'>,
  clusterName: string,
  data: Pick<BootstrapData, 'format' | 'value'>,
): Secret {
  const { name = '', namespace = '', uid = '' } = config.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      namespace,
      labels: { [labels.clusterName]: clusterName },
      ownerReferences: [
        { apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2', kind: 'KubeadmConfig', name, uid, controller: true },
      ],
    },
    type: secretTypes.cluster,
    data: {
      value: Buffer.from(data.value).toString('base64'),
      format: Buffer.from(data.format).toString('base64'),
    },
  };
}
