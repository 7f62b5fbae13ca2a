import type { Clock } from '@slipway/base';
import { type Frozen, parseTime } from '@slipway/kube';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { VdoConfig, VsphereCloudConfig } from '../api/index.js';

type Labels = Readonly<Record<string, string>>;

/** Labels that distinguish clusters if one process runs several operators. */
export const clusterLabelNames = ['cluster_namespace', 'cluster_name'] as const;

/** Metric families of a registry, shared by one or more operators. */
export class OperatorMetricFamilies {
  readonly registry: Registry;
  readonly reconciles: Counter;
  readonly reconcileSeconds: Histogram;
  readonly drivers: Gauge;
  readonly healthy: Gauge;
  readonly connections: Gauge;
  readonly checkSeconds: Histogram;
  readonly nodes: Gauge;
  readonly upgrades: Gauge;
  readonly expiry: Gauge;
  /** Time at which each operator read its matrix, by the labels of the operator. */
  readonly matricesLoadedMs = new Map<Labels, number>();

  constructor(clock: Clock, registry = new Registry(), ownLabelNames: readonly string[] = []) {
    this.registry = registry;
    const common = (name: string, help: string, labelNames: readonly string[] = []) => ({
      name: `vdo_${name}`,
      help,
      labelNames: [...ownLabelNames, ...labelNames],
      registers: [registry],
    });
    const gauge = (name: string, help: string, ...labelNames: string[]): Gauge =>
      new Gauge(common(name, help, labelNames));
    this.reconciles = new Counter(common('reconcile_total', 'Reconciles of the VDOConfig by result', ['result']));
    this.reconcileSeconds = new Histogram(common('reconcile_seconds', 'Duration of a reconcile in seconds'));
    this.drivers = gauge('driver_info', 'Installed version of a driver', 'driver', 'version');
    this.healthy = gauge('driver_healthy', 'Whether a driver is healthy', 'driver');
    this.connections = gauge('connection_up', 'Whether the connection to a vCenter is verified', 'name', 'server');
    this.checkSeconds = new Histogram(common('connection_check_seconds', 'Duration of a connection check in seconds'));
    this.nodes = gauge('nodes', 'Number of nodes by state', 'state');
    this.upgrades = gauge('upgrade_available', 'Whether a newer compatible version is available', 'driver');
    this.expiry = gauge('certificate_expiry_timestamp', 'Expiration time of the certificate of a vCenter', 'server');
    const age = new Gauge({
      ...common('matrix_age_seconds', 'Age of the compatibility matrix in seconds'),
      collect: () => {
        age.reset();
        for (const [own, ms] of this.matricesLoadedMs) age.set(own, (clock.now() - ms) / 1_000);
      },
    });
  }

  /** Adds the metrics to another registry. */
  addTo(other: Registry): void {
    for (const { name } of this.registry.getMetricsAsArray()) {
      const metric = this.registry.getSingleMetric(name);
      if (metric !== undefined) other.registerMetric(metric);
    }
  }
}

/** Metrics of one operator. */
export class OperatorMetrics {
  readonly #families: OperatorMetricFamilies;
  readonly #own: Labels;
  /** The reported series, which are removed later one by one: other operators share the metric families. */
  readonly #series = new Map<SeriesHolder, Map<string, Labels>>();

  constructor(families: OperatorMetricFamilies, own: Labels = {}) {
    this.#families = families;
    this.#own = own;
  }

  get registry(): Registry {
    return this.#families.registry;
  }

  reconciled(result: string, ms: number): void {
    const { reconciles, reconcileSeconds } = this.#families;
    reconciles.inc(this.#saying(reconciles, { result }));
    reconcileSeconds.observe(this.#saying(reconcileSeconds), ms / 1_000);
  }

  matrixLoaded(ms: number): void {
    this.#families.matricesLoadedMs.set(this.#own, ms);
  }

  connectionTook(ms: number): void {
    const { checkSeconds } = this.#families;
    checkSeconds.observe(this.#saying(checkSeconds), ms / 1_000);
  }

  connectionChecked({ metadata, spec, status }: Frozen<VsphereCloudConfig>, isUp: boolean): void {
    const server = spec?.vcIp ?? '';
    const { connections, expiry } = this.#families;
    this.#set(connections, { name: metadata.name ?? '', server }, isUp ? 1 : 0);
    const { notAfter } = status?.certificate ?? {};
    if (notAfter !== undefined) this.#set(expiry, { server }, parseTime(notAfter) / 1_000);
  }

  reported({ status }: Frozen<VdoConfig>): void {
    const { drivers, healthy, upgrades, nodes } = this.#families;
    this.#takeBack(drivers);
    for (const [driver, state] of [
      ['cpi', status?.cloudProvider],
      ['csi', status?.storageProvider],
    ] as const) {
      if (state?.installedVersion !== undefined) this.#set(drivers, { driver, version: state.installedVersion }, 1);
      this.#set(healthy, { driver }, state?.health === 'Healthy' ? 1 : 0);
      this.#set(upgrades, { driver }, state?.availableUpgrade === undefined ? 0 : 1);
    }
    this.#takeBack(nodes);
    for (const [state, count] of Object.entries(status?.nodeCounts ?? {})) this.#set(nodes, { state }, count);
  }

  /** Removes the series of a stopped operator. */
  dispose(): void {
    for (const family of this.#series.keys()) this.#takeBack(family);
    this.#families.matricesLoadedMs.delete(this.#own);
  }

  #set(gauge: Gauge, labels: Labels, value: number): void {
    gauge.set(this.#saying(gauge, labels), value);
  }

  #saying(family: SeriesHolder, labels: Labels = {}): Labels {
    const all = { ...this.#own, ...labels };
    const series = this.#series.get(family) ?? new Map<string, Labels>();
    this.#series.set(family, series.set(JSON.stringify(all), all));
    return all;
  }

  #takeBack(family: SeriesHolder): void {
    for (const labels of this.#series.get(family)?.values() ?? []) family.remove(labels);
    this.#series.delete(family);
  }
}

/** A metric family of any type. */
type SeriesHolder = Pick<Gauge, 'remove'>;
