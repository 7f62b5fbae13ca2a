import { type Clock, type Logger, type Random, Scope } from '@slipway/base';
import {
  type Client,
  configMaps,
  createManager,
  type HttpClient,
  InformerFactory,
  informerSources,
  type Manager,
  type ManagerOptions,
} from '@slipway/runtime';
import { SessionPool } from '@slipway/vsphere';
import { leaderElectionId } from '../api/index.js';
import { createVimVCenters } from '../connection/index.js';
import { kubernetesMinor } from '../matrix/index.js';
import { createFetch, MatrixSupply, TemplateSupply } from '../supply/index.js';
import { driverControllers } from './controllers.js';
import { OperatorMetricFamilies, OperatorMetrics } from './operator-metrics.js';
import { createMemory, type OperatorOptions, type OperatorWorld } from './operator-world.js';

export type OperatorClient = Client & Pick<HttpClient, 'getRaw'>;

export interface RunOperatorOptions extends OperatorOptions {
  readonly client: OperatorClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly leaderElect: boolean;
  /** Where several operators of one process tell of themselves; absent: in the registry of its own manager. */
  readonly metrics?: OperatorMetrics;
  /** Where it tells of itself, and to whom. */
  readonly diagnostics?: Diagnostics;
}

type Diagnostics = Pick<
  ManagerOptions,
  'metricsAddress' | 'healthAddress' | 'metricsAuthorize' | 'metricsTls' | 'version'
>;

export interface RunningOperator {
  /** Rejects when it may not lead any more. */
  readonly done: Promise<void>;
  readonly manager: Manager;
  stop(): Promise<void>;
}

/** The operator on a cluster that it is in, or that it reaches from elsewhere. */
export async function runOperator(options: RunOperatorOptions): Promise<RunningOperator> {
  const { client, clock, random, logger, namespace } = options;
  const scope = new Scope();
  const sessions = new SessionPool({ clock, logger });
  scope.defer(() => sessions.dispose());
  const families = new OperatorMetricFamilies(clock);
  const metrics = options.metrics ?? new OperatorMetrics(families);
  const fetch = createFetch(clock);
  const world: OperatorWorld = {
    options,
    vcenters: createVimVCenters(sessions, clock),
    matrices: new MatrixSupply({ namespace, fetch, clock, random, logger }),
    templates: new TemplateSupply(fetch, logger),
    metrics,
    kubernetesVersion: (signal) => readVersion(client, signal),
    memory: createMemory(),
  };
  // ConfigMaps are watched where the operator lives, and nowhere else.
  const factory = new InformerFactory({ client, clock, random, logger });
  const sources = informerSources(factory, {
    defaults: { stripManagedFields: true },
    perResource: new Map([[`${configMaps.plural}.${configMaps.group}`, { namespace }]]),
  });
  const controllers = driverControllers(sources, world);
  const manager = createManager({
    name: 'vdo',
    client,
    sources,
    controllers,
    clock,
    random,
    logger,
    ...(options.leaderElect && { leaderElection: { namespace, name: leaderElectionId, releaseOnStop: true } }),
    ...options.diagnostics,
  });
  families.addTo(manager.registry);
  scope.defer(() => manager.stop());
  logger.info(
    {
      namespace,
      updatePolicy: options.updatePolicy,
      deletionPolicy: options.deletionPolicy,
      matrix: options.matrix ?? 'as configured',
    },
    'Starting the drivers operator',
  );
  await manager.start();
  return { done: manager.done, manager, stop: () => Promise.resolve(scope.dispose()) };
}

/** As the API server says it: during an upgrade of the control plane it is the one that counts. */
async function readVersion(client: OperatorClient, signal: AbortSignal): Promise<string> {
  const { major, minor } = JSON.parse(await client.getRaw('/version', { signal })) as { major: string; minor: string };
  return kubernetesMinor(major, minor);
}
