import { applyConfiguration, type UpdateWrite, updateManagedFields } from '../src/apply/index.js';
import { cloneJson, deepFreeze, type JsonObject, type MutableJsonObject } from '../src/json/index.js';
import type { Schema } from '../src/schema/index.js';

/**
 * Measures the CPU time that field ownership adds to a write: `npx tsx packages/kube/bench/apply.ts`. The object has
 * 2.8 KB; the cost of copying it is subtracted.
 */
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 10_000);

const text: Schema = { type: 'string' };
const reference: Schema = { type: 'object', properties: { apiGroup: text, kind: text, name: text } };
const byName = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] } as const;
const byType = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] } as const;
const schema: Schema = {
  type: 'object',
  properties: {
    apiVersion: text,
    kind: text,
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      properties: {
        paused: { type: 'boolean' },
        endpoint: { type: 'object', properties: { host: text, port: { type: 'integer' } } },
        controlPlaneRef: reference,
        infrastructureRef: reference,
        variables: {
          ...byName,
          items: {
            type: 'object',
            properties: { name: text, value: { 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
    },
    status: {
      type: 'object',
      properties: {
        conditions: {
          ...byType,
          items: { type: 'object', properties: { type: text, status: text, reason: text, message: text } },
        },
      },
    },
  },
};

const cluster: JsonObject = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: {
    name: 'bench',
    namespace: 'default',
    labels: Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [`example.com/label-${index}`, `value-${index}`]),
    ),
    finalizers: ['cluster.cluster.x-k8s.io'],
  },
  spec: {
    paused: false,
    endpoint: { host: '192.0.2.10', port: 6443 },
    controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'bench' },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevCluster', name: 'bench' },
    variables: Array.from({ length: 12 }, (_, index) => ({
      name: `variable-${index}`,
      value: { image: 'registry.example.com/image', limits: { cpu: '2', memory: '4Gi' } },
    })),
  },
  status: {
    conditions: ['Available', 'Ready', 'ControlPlaneReady', 'InfrastructureReady', 'Paused'].map((type) => ({
      type,
      status: 'True',
      reason: `${type}Reason`,
      message: `condition ${type} holds since the last check`,
    })),
  },
};

const base = { schema, apiVersion: 'cluster.x-k8s.io/v1beta2', now: Date.UTC(2026, 0, 1), manager: 'bench' };

async function microseconds(work: () => unknown): Promise<number> {
  for (let round = 0; round < rounds / 4; round += 1) await work();
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) await work();
  const used = process.cpuUsage(before);
  return (used.user + used.system) / rounds;
}

function track(write: Pick<UpdateWrite, 'live' | 'next'> & Partial<UpdateWrite>): JsonObject {
  void updateManagedFields({ ...base, ...write });
  return write.next;
}

function changed(object: JsonObject): MutableJsonObject {
  const next = cloneJson(object) as MutableJsonObject;
  (next['spec'] as MutableJsonObject)['paused'] = true;
  return next;
}

const live = deepFreeze(track({ live: undefined, next: cloneJson(cluster) as MutableJsonObject }));
const apply = { ...base, kind: 'Cluster', force: true, config: cluster };
const applied = deepFreeze((await applyConfiguration({ ...apply, live })).object) as JsonObject;
const copyPlain = await microseconds(() => cloneJson(cluster));
const copyLive = await microseconds(() => cloneJson(live));

const rows: Record<string, number> = {
  create:
    (await microseconds(() => track({ live: undefined, next: cloneJson(cluster) as MutableJsonObject }))) - copyPlain,
  'update of one field': (await microseconds(() => track({ live, next: changed(live), manager: 'other' }))) - copyLive,
  'update of nothing':
    (await microseconds(() => track({ live, next: cloneJson(live) as MutableJsonObject }))) - copyLive,
  'apply that changes owners': await microseconds(() => applyConfiguration({ ...apply, live })),
  'apply again': await microseconds(() => applyConfiguration({ ...apply, live: applied })),
};
const lines = Object.entries(rows).map(([name, cost]) => `${name.padEnd(28)}${cost.toFixed(1).padStart(8)} µs`);
process.stdout.write(`${JSON.stringify(cluster).length} bytes\n${lines.join('\n')}\n`);
