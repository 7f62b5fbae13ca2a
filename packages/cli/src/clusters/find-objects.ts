import {
  type ClusterReadOptions,
  findByWords,
  type FoundObject,
  NotThere,
  type ObjectSet,
  type Observed,
  parseObjectWords,
  readCluster,
} from '@slipway/insight';
import type { Client, ObjectKey } from '@slipway/runtime';
import type { Target } from '../connection/index.js';
import { CliError, exitCodes } from '../errors/index.js';

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

/** The object that a person named on the command line. */
export async function findNamed(target: Target, words: readonly string[], signal: AbortSignal): Promise<FoundObject> {
  const parsed = parseObjectWords(words);
  if (parsed === undefined)
    throw new CliError(`${words.join(' ')} names no object`, {
      remedy: 'write kind/name, or kind name, such as machine/demo-x7k2p',
      exitCode: exitCodes.usage,
    });
  try {
    return await findByWords(target.client, parsed, target.namespace, signal);
  } catch (error) {
    if (!(error instanceof NotThere)) throw error;
    throw new CliError(error.message, {
      remedy: 'see what there is: `kubectl get cluster-api -A`; choose another namespace with -n',
      cause: error,
    });
  }
}
