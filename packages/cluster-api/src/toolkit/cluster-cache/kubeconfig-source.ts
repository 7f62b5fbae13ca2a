import type { Disposable } from '@slipway/base';
import type { Frozen } from '@slipway/kube';
import { ifPresent, type Informer, type ObjectKey, type Reader, type Secret, secrets } from '@slipway/runtime';

/** Source of the kubeconfigs of workload clusters. */
export interface KubeconfigSource {
  read(cluster: ObjectKey): Promise<string | undefined>;
  /** Reports clusters whose kubeconfig may have been created, changed or deleted. */
  onChange(listener: (cluster: ObjectKey) => void): Disposable;
}

const suffix = '-kubeconfig';
const dataKey = 'value';

/**
 * Reads kubeconfigs from Secrets named `<cluster>-kubeconfig`, as the Cluster API contract defines. The informer may see only
 * Secrets with the cluster name label. A Secret without the label is read from the server.
 */
export function kubeconfigSecrets(informer: Informer<Secret>, read: Reader): KubeconfigSource {
  return {
    async read(cluster) {
      await informer.whenSynced();
      const key = { namespace: cluster.namespace, name: cluster.name + suffix };
      const secret = informer.get(key) ?? (await ifPresent(read.get(secrets, key)));
      const encoded = secret?.data?.[dataKey];
      return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
    },
    onChange(listener) {
      const notify = (secret: Frozen<Secret>): void => {
        const { namespace = '', name = '' } = secret.metadata;
        if (name.endsWith(suffix)) listener({ namespace, name: name.slice(0, -suffix.length) });
      };
      return informer.addHandler({
        added: (secret) => notify(secret),
        updated: (secret, previous) => {
          if (secret.metadata.resourceVersion !== previous.metadata.resourceVersion) notify(secret);
        },
        deleted: (secret) => notify(secret),
      });
    },
  };
}
