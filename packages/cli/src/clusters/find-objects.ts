import {
  type ClusterReadOptions,
  findByArguments,
  type FoundObject,
  NotFoundError,
  type ObjectSet,
  type Observed,
  parseObjectArguments,
  readCluster,
} from '@slipway/insight';
import type { Client, ObjectKey } from '@slipway/runtime';
import type { Target } from '../connection/index.js';
import { CliError, exitCodes } from '../errors/index.js';

export interface SeenCluster {
  readonly set: ObjectSet;
  readonly cluster: Observed;
}

/** Reads a cluster with all its objects. The error for a missing cluster has a remedy. */
export async function observeCluster(
  client: Client,
  key: ObjectKey,
  options: ClusterReadOptions = {},
): Promise<SeenCluster> {
  try {
    const set = await readCluster(client, key, options);
    return { set, cluster: rootOf(set, key) };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new CliError(error.message, {
      remedy: 'list the clusters with `slipway get clusters -A`; select a namespace with -n',
      cause: error,
    });
  }
}

export function rootOf(set: ObjectSet, key: ObjectKey): Observed {
  const found = set.get({ group: 'cluster.x-k8s.io', kind: 'Cluster', ...key });
  if (found === undefined) throw new NotFoundError(`Cluster ${key.name} not found in namespace ${key.namespace}`);
  return found;
}

/** Reads the object that the arguments name. */
export async function findNamed(target: Target, args: readonly string[], signal: AbortSignal): Promise<FoundObject> {
  const parsed = parseObjectArguments(args);
  if (parsed === undefined)
    throw new CliError(`"${args.join(' ')}" is not an object reference`, {
      remedy: 'write kind/name, or kind name, such as machine/demo-x7k2p',
      exitCode: exitCodes.usage,
    });
  try {
    return await findByArguments(target.client, parsed, target.namespace, signal);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new CliError(error.message, {
      remedy: 'list the objects with `slipway get cluster-api -A`; select a namespace with -n',
      cause: error,
    });
  }
}
