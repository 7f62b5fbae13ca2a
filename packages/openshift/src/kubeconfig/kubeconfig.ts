import { labels, secretTypes } from '@slipway/cluster-api';
import { type Frozen, isTime, parseTime, stringifyYamlInOrder } from '@slipway/kube';
import type { Secret } from '@slipway/runtime';
import { namespaces, operatorName } from '../names.js';

export const refreshAnnotation = 'cluster-api.openshift.io/last-token-refresh';
/** Age at which a token is renewed. */
export const tokenAgeMsMax = 1_800_000;

/** Returns the age of the token since its last renewal, or since the creation of its Secret. */
export function tokenAgeMs({ metadata }: Frozen<Secret>, nowMs: number): number {
  const refreshed = metadata.annotations?.[refreshAnnotation];
  const since = refreshed !== undefined && isTime(refreshed) ? refreshed : metadata.creationTimestamp;
  // A time in the future is due to clock skew. In that case the age is 0.
  return typeof since === 'string' ? Math.max(0, nowMs - parseTime(since)) : 0;
}

/**
 * Returns the kubeconfig Secret with which the Cluster API controllers access this cluster as a workload cluster. Undefined
 * without a token.
 */
export function kubeconfigSecret(token: Frozen<Secret>, infraName: string, server: string): Secret | undefined {
  const data = token.data ?? {};
  const [bearer = '', authority = ''] = [data['token'], data['ca.crt']];
  if (bearer === '' || authority === '') return undefined;
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: infraName, cluster: { server, 'certificate-authority-data': authority } }],
    users: [{ name: operatorName, user: { token: Buffer.from(bearer, 'base64').toString('utf8') } }],
    contexts: [
      { name: infraName, context: { cluster: infraName, user: operatorName, namespace: namespaces.clusterApi } },
    ],
    'current-context': infraName,
  };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      namespace: namespaces.clusterApi,
      name: `${infraName}-kubeconfig`,
      labels: { [labels.clusterName]: infraName },
    },
    type: secretTypes.cluster,
    data: { value: Buffer.from(stringifyYamlInOrder(config)).toString('base64') },
  };
}
