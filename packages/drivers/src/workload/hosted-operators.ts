import type { Clock, Disposable, Logger, Random } from '@slipway/base';
import type { WorkloadCluster } from '@slipway/cluster-api';
import { type Fence, keyText, type ObjectKey } from '@slipway/runtime';
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

export interface HostedDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Metrics registry of the process. Series are labelled with the namespace and name of their Cluster. */
  readonly registry: Registry;
}

interface Hosted {
  readonly workload: WorkloadCluster;
  readonly fence: Fence;
  readonly started: Promise<RunningOperator>;
  readonly metrics: OperatorMetrics;
  /** Digest of the objects that were written to the workload cluster. */
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
 * The operators of workload clusters, which run in the management cluster instead of inside the workload clusters. Each operator
 * uses one connection and stops when the connection is lost. It writes only while this process has the lease for the Cluster.
 */
export class HostedOperators implements Disposable {
  readonly #running = new Map<string, Hosted>();
  readonly #dependencies: HostedDependencies;
  readonly #options: OperatorOptions;
  readonly #families: OperatorMetricFamilies;

  constructor(dependencies: HostedDependencies, options: Partial<OperatorOptions> = {}) {
    this.#dependencies = dependencies;
    this.#families = familiesIn(dependencies);
    this.#options = { ...optionsDefault, ...options };
  }

  get size(): number {
    return this.#running.size;
  }

  /** Returns the last digest of a cluster's operator, or undefined if none runs on this connection. */
  digestOf(cluster: ObjectKey, workload: WorkloadCluster): string | undefined {
    const found = this.#running.get(keyText(cluster));
    return found?.workload === workload ? found.digest : undefined;
  }

  /** Starts the operator once its CRDs are served. An operator on an older connection is stopped first. */
  async run(cluster: ObjectKey, workload: WorkloadCluster, fence: Fence, digest: string): Promise<void> {
    const key = keyText(cluster);
    const found = this.#running.get(key);
    if (found?.workload === workload && found.fence === fence) {
      found.digest = digest;
      await found.started;
      return;
    }
    await this.stop(cluster);
    const { clock, random, logger } = this.#dependencies;
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
    // The operator may have failed to start. Then there is nothing to stop.
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

/** Metric families by registry: controllers are restarted within one process and must not register them twice. */
const familiesByRegistry = new WeakMap<Registry, OperatorMetricFamilies>();

function familiesIn({ clock, registry }: HostedDependencies): OperatorMetricFamilies {
  const families = familiesByRegistry.get(registry) ?? new OperatorMetricFamilies(clock, registry, clusterLabelNames);
  familiesByRegistry.set(registry, families);
  return families;
}
