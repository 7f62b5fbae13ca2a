import type { Logger, Random } from '@slipway/base';
import { clusterKeyOf } from '@slipway/cluster-api';
import type { KeySource } from '@slipway/pki';
import {
  type ChangeFeed,
  type Client,
  composeControllers,
  createManager,
  type Manager,
  type ManagerOptions,
  type ObjectKey,
  type RemoteClient,
  selectControllers,
} from '@slipway/runtime';
import type { Provider } from '../providers/provider.js';
import { controllerSets } from './controller-sets.js';
import type { Infrastructure } from '../providers/infrastructure.js';
import { leaseKey } from '../objects/names.js';
import type { SimulatedProcess } from '../processes/simulated-process.js';

export interface ControllersOptions {
  readonly process: SimulatedProcess;
  readonly client: Client;
  readonly provider: Provider;
  readonly infrastructure: Infrastructure;
  readonly random: Random;
  readonly keys: KeySource;
  readonly logger: Logger;
  /** Where the controllers' changes are published. */
  readonly changes?: ChangeFeed;
  /** Whether to resync periodically. Defaults to true. */
  readonly resync?: boolean;
  /** Whether clusters may have a managed topology. */
  readonly classes?: boolean;
  /** Identity of this process in leader election. Set if several processes compete. */
  readonly identity?: string;
  /** Number of shards that the processes divide; 0 if one process reconciles all clusters. */
  readonly shards?: number;
}

/** Resync interval that is longer than any run. */
const neverMs = 1_000 * 3_600_000;

/** Starts all controllers in one process, as `slipway up` and `slipway manager` do. */
export async function startControllers(options: ControllersOptions): Promise<Manager> {
  const { process, client, provider, infrastructure, random, keys, logger, changes } = options;
  const { clock } = process;
  const connect = (kubeconfig: string, cluster: ObjectKey): RemoteClient =>
    infrastructure.connect(process, kubeconfig, cluster);
  const featureGates = `ClusterTopology=${options.classes === true}`;
  const chosen = selectControllers(controllerSets(provider, infrastructure, process), { featureGates });
  const composition = composeControllers({
    chosen,
    client,
    clock,
    random,
    logger,
    keys,
    connect,
    ...(options.resync === false ? { resyncMs: neverMs } : {}),
  });
  const { controllers, sources } = composition;
  const manager = createManager({
    name: 'slipway',
    client,
    sources,
    controllers,
    clock,
    random,
    logger,
    ...(changes && { changes }),
    ...electionOf(options),
  });
  await manager.start();
  return manager;
}

function electionOf({
  identity,
  shards = 0,
}: Pick<ControllersOptions, 'identity' | 'shards'>): Pick<ManagerOptions, 'leaderElection' | 'sharding'> {
  if (identity === undefined) return {};
  return shards > 0
    ? { sharding: { ...leaseKey, identity, shards, shardKeyOf: clusterKeyOf } }
    : { leaderElection: { ...leaseKey, identity } };
}
