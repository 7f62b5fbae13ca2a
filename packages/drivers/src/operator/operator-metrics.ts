import type { Clock } from '@slipway/base';
import { type Frozen, parseTime } from '@slipway/kube';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { VdoConfig, VsphereCloudConfig } from '../api/index.js';

/** What the operator tells whoever scrapes it. */
export class OperatorMetrics {
  readonly registry: Registry;
  readonly #reconciles: Counter;
  readonly #reconcileSeconds: Histogram;
  readonly #drivers: Gauge;
  readonly #healthy: Gauge;
  readonly #connections: Gauge;
  readonly #checkSeconds: Histogram;
  readonly #nodes: Gauge;
  readonly #upgrades: Gauge;
  readonly #expiry: Gauge;
  #matrixLoadedMs: number | undefined;

  constructor(clock: Clock, registry = new Registry()) {
    this.registry = registry;
    const common = { registers: [registry] };
    const gauge = (name: string, help: string, ...labelNames: string[]): Gauge =>
      new Gauge({ name: `vdo_${name}`, help, labelNames, ...common });
    this.#reconciles = new Counter({
      name: 'vdo_reconcile_total',
      help: 'Looks at the VDOConfig by how they ended',
      labelNames: ['result'],
      ...common,
    });
    this.#reconcileSeconds = new Histogram({ name: 'vdo_reconcile_seconds', help: 'How long a look takes', ...common });
    this.#drivers = gauge('driver_info', 'The installed version of a driver', 'driver', 'version');
    this.#healthy = gauge('driver_healthy', 'Whether a driver is healthy', 'driver');
    this.#connections = gauge('connection_up', 'Whether a vCenter accepts us', 'name', 'server');
    this.#checkSeconds = new Histogram({
      name: 'vdo_connection_check_seconds',
      help: 'How long a check takes',
      ...common,
    });
    this.#nodes = gauge('nodes', 'Nodes by what they wait for', 'state');
    this.#upgrades = gauge('upgrade_available', 'Whether a newer version would fit', 'driver');
    this.#expiry = gauge('certificate_expiry_timestamp', 'When the certificate of a vCenter ends', 'server');
    const age = new Gauge({
      name: 'vdo_matrix_age_seconds',
      help: 'How long ago the compatibility matrix was read',
      ...common,
      collect: () => {
        if (this.#matrixLoadedMs !== undefined) age.set((clock.now() - this.#matrixLoadedMs) / 1_000);
      },
    });
  }

  /** Shows them beside others. */
  addTo(other: Registry): void {
    for (const { name } of this.registry.getMetricsAsArray()) {
      const metric = this.registry.getSingleMetric(name);
      if (metric !== undefined) other.registerMetric(metric);
    }
  }

  reconciled(result: string, ms: number): void {
    this.#reconciles.inc({ result });
    this.#reconcileSeconds.observe(ms / 1_000);
  }

  matrixLoaded(ms: number): void {
    this.#matrixLoadedMs = ms;
  }

  connectionTook(ms: number): void {
    this.#checkSeconds.observe(ms / 1_000);
  }

  connectionChecked({ metadata, spec, status }: Frozen<VsphereCloudConfig>, isUp: boolean): void {
    const server = spec?.vcIp ?? '';
    this.#connections.set({ name: metadata.name ?? '', server }, isUp ? 1 : 0);
    const { notAfter } = status?.certificate ?? {};
    if (notAfter !== undefined) this.#expiry.set({ server }, parseTime(notAfter) / 1_000);
  }

  reported({ status }: Frozen<VdoConfig>): void {
    this.#drivers.reset();
    for (const [driver, state] of [
      ['cpi', status?.cloudProvider],
      ['csi', status?.storageProvider],
    ] as const) {
      if (state?.installedVersion !== undefined) this.#drivers.set({ driver, version: state.installedVersion }, 1);
      this.#healthy.set({ driver }, state?.health === 'Healthy' ? 1 : 0);
      this.#upgrades.set({ driver }, state?.availableUpgrade === undefined ? 0 : 1);
    }
    this.#nodes.reset();
    for (const [state, count] of Object.entries(status?.nodeCounts ?? {})) this.#nodes.set({ state }, count);
  }
}
