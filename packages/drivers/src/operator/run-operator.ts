import { type Clock, type Logger, type Random, Scope } from '@slipway/base';
import {
  configMaps,
  createManager,
  type Fence,
  type HttpClient,
  InformerFactory,
  informerSources,
  type Manager,
  type ManagerOptions,
  type RemoteCluster,
} from '@slipway/runtime';
import { SessionPool } from '@slipway/vsphere';
import { leaderElectionId } from '../api/index.js';
import { createVimVCenters } from '../connection/index.js';
import { kubernetesMinor } from '../matrix/index.js';
import { createFetch, MatrixSupply, TemplateSupply } from '../supply/index.js';
import { driverControllers } from './controllers.js';
import { OperatorMetricFamilies, OperatorMetrics } from './operator-metrics.js';
import { createMemory, type OperatorOptions, type OperatorDependencies } from './dependencies.js';

/** The cluster whose drivers the operator manages. */
type OperatedCluster = RemoteCluster & Pick<HttpClient, 'getRaw'>;

export interface RunOperatorOptions extends OperatorOptions {
  readonly cluster: OperatedCluster;
  /** Fence that closes when this process loses its lease for the cluster. Without it, writes are never fenced. */
  readonly fence?: Fence;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly leaderElect: boolean;
  /** Metrics that several operators in one process share. Defaults to metrics in the registry of its own manager. */
  readonly metrics?: OperatorMetrics;
  /** Addresses of metrics and probes. */
  readonly diagnostics?: Diagnostics;
}

type Diagnostics = Pick<
  ManagerOptions,
  'metricsAddress' | 'healthAddress' | 'metricsAuthorize' | 'metricsTls' | 'version'
>;

export interface RunningOperator {
  /** Rejects when leadership is lost. */
  readonly done: Promise<void>;
  readonly manager: Manager;
  stop(): Promise<void>;
}

/** Runs the operator for the cluster that it is in, or for a remote cluster. */
export async function runOperator(options: RunOperatorOptions): Promise<RunningOperator> {
  const { cluster, fence, clock, random, logger, namespace } = options;
  const scope = new Scope();
  const sessions = new SessionPool({ clock, logger });
  scope.defer(() => sessions.dispose());
  const families = new OperatorMetricFamilies(clock);
  const metrics = options.metrics ?? new OperatorMetrics(families);
  const fetch = createFetch(clock);
  const dependencies: OperatorDependencies = {
    options,
    vcenters: createVimVCenters(sessions, clock),
    matrices: new MatrixSupply({ namespace, fetch, clock, random, logger }),
    templates: new TemplateSupply(fetch, logger),
    metrics,
    kubernetesVersion: (signal) => readVersion(cluster, signal),
    memory: createMemory(),
  };
  // Of ConfigMaps, only those in the namespace of the operator are watched.
  const factory = new InformerFactory({ client: cluster.read, clock, random, logger });
  const sources = informerSources(factory, {
    defaults: { stripManagedFields: true },
    perResource: new Map([[`${configMaps.plural}.${configMaps.group}`, { namespace }]]),
  });
  const controllers = driverControllers(sources, dependencies);
  const manager = createManager({
    name: 'vdo',
    client: cluster,
    sources,
    controllers,
    clock,
    random,
    logger,
    ...(options.leaderElect && { leaderElection: { namespace, name: leaderElectionId, releaseOnStop: true } }),
    ...(fence && { fence }),
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

/** Returns the version of the API server, which determines compatibility during an upgrade of the control plane. */
async function readVersion(cluster: OperatedCluster, signal: AbortSignal): Promise<string> {
  const { major, minor } = JSON.parse(await cluster.getRaw('/version', { signal })) as { major: string; minor: string };
  return kubernetesMinor(major, minor);
}
