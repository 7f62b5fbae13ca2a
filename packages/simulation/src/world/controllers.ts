import type { KeySource, Logger, Random } from '@slipway/base';
import {
  type ChangeFeed,
  type Client,
  composeControllers,
  createManager,
  type Manager,
  type ManagerOptions,
  type ObjectKey,
  selectControllers,
  type WorkloadClient,
} from '@slipway/runtime';
import type { Provider } from '../providers/provider.js';
import { controllerSets } from './controller-sets.js';
import type { Infrastructure } from './infrastructure.js';
import { leaseKey } from './names.js';
import type { SimulatedProcess } from './simulated-process.js';

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
  /** Look at everything now and then; on unless said otherwise. */
  readonly resync?: boolean;
  /** Whether clusters may be topologies of classes. */
  readonly classes?: boolean;
  /** Set where several processes could act: who this one is. */
  readonly identity?: string;
  /** Into how many shards the clusters fall, of which each process has some; 0 where one process acts on all. */
  readonly shards?: number;
}

/** Longer than any run. */
const neverMs = 1_000 * 3_600_000;

/** All controllers in one process, as `slipway up` and `slipway manager` run them. */
export async function startControllers(options: ControllersOptions): Promise<Manager> {
  const { process, client, provider, infrastructure, random, keys, logger, changes } = options;
  const { clock } = process;
  const connect = (kubeconfig: string, cluster: ObjectKey): WorkloadClient =>
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
  return shards > 0 ? { sharding: { ...leaseKey, identity, shards } } : { leaderElection: { ...leaseKey, identity } };
}
