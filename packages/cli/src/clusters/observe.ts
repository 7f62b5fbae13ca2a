import { type ClusterReadOptions, NotThere, type ObjectSet, type Observed, readCluster } from '@slipway/insight';
import type { Client, ObjectKey } from '@slipway/runtime';
import { CliError } from '../errors/index.js';

export interface SeenCluster {
  readonly set: ObjectSet;
  readonly cluster: Observed;
}

/** A cluster and all that belongs to it; says what to do when there is none of that name. */
export async function observeCluster(
  client: Client,
  key: ObjectKey,
  options: ClusterReadOptions = {},
): Promise<SeenCluster> {
  try {
    const set = await readCluster(client, key, options);
    return { set, cluster: rootOf(set, key) };
  } catch (error) {
    if (!(error instanceof NotThere)) throw error;
    throw new CliError(error.message, {
      remedy: 'see what there is: `kubectl get clusters -A`; choose another namespace with -n',
      cause: error,
    });
  }
}

export function rootOf(set: ObjectSet, key: ObjectKey): Observed {
  const found = set.get({ group: 'cluster.x-k8s.io', kind: 'Cluster', ...key });
  if (found === undefined) throw new NotThere(`there is no Cluster ${key.name} in namespace ${key.namespace}`);
  return found;
}
