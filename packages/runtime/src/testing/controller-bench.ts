import { seededRandom, silentLogger, VirtualClock } from '@slipway/base';
import type { KubeObject } from '@slipway/kube';
import type { Client, Resource } from '../client/index.js';
import {
  type ControllerOptions,
  createController,
  type Gate,
  openGate,
  type RunningController,
} from '../controller/index.js';
import { ChangeFeed, silentEventRecorder } from '../change/index.js';
import { RuntimeMetrics } from '../diagnostics/index.js';
import { FakeApi } from './fake-api.js';
import { FakeSources } from './fake-sources.js';

export const sets: Resource = { group: 'x.io', version: 'v1', kind: 'Set', plural: 'sets', namespaced: true };
export const pods: Resource = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

export function object(name: string, kind = 'Set', extra: Partial<KubeObject['metadata']> = {}): KubeObject {
  return {
    apiVersion: kind === 'Set' ? 'x.io/v1' : 'v1',
    kind,
    metadata: { name, namespace: 'ns', ...extra },
    spec: {},
  };
}

export interface Bench {
  readonly clock: VirtualClock;
  readonly api: FakeApi;
  readonly client: Client;
  readonly metrics: RuntimeMetrics;
  readonly changes: ChangeFeed;
  readonly sources: FakeSources;
  readonly run: (
    options: Partial<ControllerOptions<KubeObject>> & Pick<ControllerOptions<KubeObject>, 'reconcile'>,
  ) => RunningController;
  readonly value: (name: string, labels?: Record<string, string>) => Promise<number | undefined>;
}

export function bench(gate: Gate = openGate): Bench {
  const clock = new VirtualClock();
  const api = new FakeApi(clock);
  const metrics = new RuntimeMetrics();
  const changes = new ChangeFeed();
  const client = api.client();
  const sources = new FakeSources(api);
  return {
    clock,
    sources,
    api,
    client,
    metrics,
    changes,
    run: (options) =>
      createController({ name: 'test', for: sets, ...options }).start({
        client,
        sources,
        clock,
        random: seededRandom(1),
        logger: silentLogger,
        events: silentEventRecorder,
        changes,
        gate,
        metrics: (name, concurrency) => metrics.forController(name, concurrency),
      }),
    value: async (name, labels = {}) => {
      const found = (await metrics.registry.getSingleMetric(name)?.get())?.values ?? [];
      return found.find((value) =>
        Object.entries(labels).every(([key, expected]) => (value.labels as Record<string, unknown>)[key] === expected),
      )?.value;
    },
  };
}
