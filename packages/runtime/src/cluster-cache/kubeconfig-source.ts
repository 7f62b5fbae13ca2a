import { ifPresent } from '../client/index.js';
import type { Disposable } from '@slipway/base';
import type { Frozen } from '@slipway/kube';
import { type Secret, secrets } from '../builtin-resources/index.js';
import type { Client, ObjectKey } from '../client/index.js';
import type { Informer } from '../informer/index.js';

/** Where the kubeconfigs of workload clusters come from. */
export interface KubeconfigSource {
  read(cluster: ObjectKey): Promise<string | undefined>;
  /** Tells of clusters whose kubeconfig may have come, changed or gone. */
  onChange(listener: (cluster: ObjectKey) => void): Disposable;
}

const suffix = '-kubeconfig';
const dataKey = 'value';

/**
 * Secrets named `<cluster>-kubeconfig`, as the Cluster API contract has them. The informer may see only those with the
 * cluster's label; for one that a person made without it the server is asked.
 */
export function kubeconfigSecrets(informer: Informer<Secret>, client: Client): KubeconfigSource {
  return {
    async read(cluster) {
      await informer.whenSynced();
      const key = { namespace: cluster.namespace, name: cluster.name + suffix };
      const secret = informer.get(key) ?? (await ifPresent(client.get(secrets, key)));
      const encoded = secret?.data?.[dataKey];
      return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
    },
    onChange(listener) {
      const tell = (secret: Frozen<Secret>): void => {
        const { namespace = '', name = '' } = secret.metadata;
        if (name.endsWith(suffix)) listener({ namespace, name: name.slice(0, -suffix.length) });
      };
      return informer.addHandler({
        added: (secret) => tell(secret),
        updated: (secret, previous) => {
          if (secret.metadata.resourceVersion !== previous.metadata.resourceVersion) tell(secret);
        },
        deleted: (secret) => tell(secret),
      });
    },
  };
}
