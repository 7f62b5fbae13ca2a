import type { Clock, Disposable, Logger, Random } from '@slipway/base';
import { type Fence, keyText, type ObjectKey, type WorkloadCluster } from '@slipway/runtime';
import { operatorNamespace } from '../api/index.js';
import type { Registry } from 'prom-client';
import {
  clusterLabelNames,
  OperatorMetricFamilies,
  OperatorMetrics,
  type OperatorOptions,
  runOperator,
  type RunningOperator,
} from '../operator/index.js';

export interface HostedWorld {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Of the process that they are in: what they count bears the names of their clusters. */
  readonly registry: Registry;
}

interface Hosted {
  readonly workload: WorkloadCluster;
  readonly fence: Fence;
  readonly started: Promise<RunningOperator>;
  readonly metrics: OperatorMetrics;
  /** Of what was written into the cluster for it. */
  digest: string;
}

const optionsDefault: OperatorOptions = {
  namespace: operatorNamespace,
  updatePolicy: 'latest',
  images: {},
  deletionPolicy: 'Retain',
  isHosted: true,
};

/**
 * The operators of workload clusters, running beside the management plane instead of inside the clusters. Each one uses one
 * connection and stops when that is lost. It writes only while this process may act on the Cluster.
 */
export class HostedOperators implements Disposable {
  readonly #running = new Map<string, Hosted>();
  readonly #world: HostedWorld;
  readonly #options: OperatorOptions;
  readonly #families: OperatorMetricFamilies;

  constructor(world: HostedWorld, options: Partial<OperatorOptions> = {}) {
    this.#world = world;
    this.#families = familiesIn(world);
    this.#options = { ...optionsDefault, ...options };
  }

  get size(): number {
    return this.#running.size;
  }

  /** The digest that the operator of a cluster last got; undefined when none runs on this connection. */
  digestOf(cluster: ObjectKey, workload: WorkloadCluster): string | undefined {
    const found = this.#running.get(keyText(cluster));
    return found?.workload === workload ? found.digest : undefined;
  }

  /** Starts the operator once its CRDs are served; stops one on an older connection first. */
  async run(cluster: ObjectKey, workload: WorkloadCluster, fence: Fence, digest: string): Promise<void> {
    const key = keyText(cluster);
    const found = this.#running.get(key);
    if (found?.workload === workload && found.fence === fence) {
      found.digest = digest;
      await found.started;
      return;
    }
    await this.stop(cluster);
    const { clock, random, logger } = this.#world;
    const metrics = new OperatorMetrics(this.#families, {
      cluster_namespace: cluster.namespace,
      cluster_name: cluster.name,
    });
    const started = runOperator({
      ...this.#options,
      cluster: workload,
      fence,
      clock,
      random,
      logger: logger.child({ Cluster: cluster }),
      leaderElect: false,
      metrics,
    });
    this.#running.set(key, { workload, fence, started, digest, metrics });
    const end = (): void => void this.stop(cluster);
    fence.signal?.addEventListener('abort', end, { once: true });
    try {
      await started;
    } catch (error) {
      this.#running.delete(key);
      metrics.dispose();
      throw error;
    }
  }

  async stop(cluster: ObjectKey): Promise<void> {
    const key = keyText(cluster);
    const found = this.#running.get(key);
    if (found === undefined) return;
    this.#running.delete(key);
    // One that never began has nothing to stop.
    const operator = await found.started.catch(() => undefined);
    await operator?.stop();
    found.metrics.dispose();
  }

  async dispose(): Promise<void> {
    const keys = [...this.#running.keys()];
    await Promise.all(
      keys.map((key) => {
        const [namespace = '', name = ''] = key.split('/');
        return this.stop({ namespace, name });
      }),
    );
  }
}

/** Controllers are stopped and started again in one process, and count in the same registry. */
const familiesByRegistry = new WeakMap<Registry, OperatorMetricFamilies>();

function familiesIn({ clock, registry }: HostedWorld): OperatorMetricFamilies {
  const families = familiesByRegistry.get(registry) ?? new OperatorMetricFamilies(clock, registry, clusterLabelNames);
  familiesByRegistry.set(registry, families);
  return families;
}
