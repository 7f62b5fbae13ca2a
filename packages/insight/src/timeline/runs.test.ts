import { describe, expect, it } from 'vitest';
import { ObjectSet, type Observed } from '../objects/index.js';
import { timelineOf } from './timeline.js';

const startMs = Date.parse('2026-01-01T00:00:00Z');
const at = (seconds: number): string => new Date(startMs + seconds * 1_000).toISOString().replace('.000Z', 'Z');

function made(
  kind: string,
  name: string,
  createdAt: number,
  conditions: Record<string, number>,
  spec: object,
): Observed {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind,
    metadata: {
      name,
      namespace: 'team',
      uid: `${kind} ${name}`,
      creationTimestamp: at(createdAt),
      labels: { 'cluster.x-k8s.io/cluster-name': 'demo', 'cluster.x-k8s.io/control-plane': '' },
    },
    spec,
    status: {
      conditions: Object.entries(conditions).map(([type, seconds]) => ({
        type,
        status: 'True',
        reason: type,
        message: '',
        lastTransitionTime: at(seconds),
      })),
    },
  } as unknown as Observed;
}

const machine = (name: string, createdAt: number, readyAt: number, version = 'v1.35.0'): Observed =>
  made('Machine', name, createdAt, { Ready: readyAt }, { clusterName: 'demo', version });

/** A cluster that became available again after an upgrade, which started 17 minutes after the creation. */
const cluster = made(
  'Cluster',
  'demo',
  0,
  { InfrastructureReady: 1, ControlPlaneInitialized: 2, Available: 1_080 },
  {},
);
const first = machine('first', 1, 3);
const upgraded = machine('upgraded', 1_020, 1_080, 'v1.36.0');

describe('machineRuns', () => {
  it('measures the creation of an upgraded cluster from the machines that were created first', () => {
    const { tookMs, runs } = timelineOf(new ObjectSet({ objects: [cluster, upgraded] }), cluster, [first]);
    expect(tookMs).toBe(3_000);
    expect(runs).toEqual([
      { kind: 'creation', version: 'v1.35.0', startMs: 0, endMs: 3_000, machines: 1 },
      { kind: 'upgrade', version: 'v1.36.0', startMs: 1_020_000, endMs: 1_080_000, machines: 1 },
    ]);
  });

  it('uses the initialization of the control plane if the machines of the creation are unknown', () => {
    const { tookMs, runs } = timelineOf(new ObjectSet({ objects: [cluster, upgraded] }), cluster);
    expect(tookMs).toBe(2_000);
    expect(runs.map(({ kind, machines }) => ({ kind, machines }))).toEqual([
      { kind: 'creation', machines: 0 },
      { kind: 'replacement', machines: 1 },
    ]);
  });

  it('distinguishes a scaling from a replacement', () => {
    const added = machine('added', 600, 620);
    const grown = timelineOf(new ObjectSet({ objects: [cluster, first, added] }), cluster);
    expect(grown.runs.map(({ kind }) => kind)).toEqual(['creation', 'scaling']);
    const replaced = timelineOf(new ObjectSet({ objects: [cluster, added] }), cluster, [first]);
    expect(replaced.runs.map(({ kind }) => kind)).toEqual(['creation', 'replacement']);
  });

  it('compares versions within one owner: workers that are added in their version after an upgrade of the control plane are a scaling', () => {
    const worker = (name: string, createdAt: number): Observed => {
      const { metadata, ...rest } = machine(name, createdAt, createdAt + 5);
      const labels = { 'cluster.x-k8s.io/cluster-name': 'demo', 'cluster.x-k8s.io/deployment-name': 'workers' };
      return { ...rest, metadata: { ...metadata, labels } } as Observed;
    };
    const objects = [cluster, upgraded, worker('worker', 2), worker('added', 1_100)];
    const expected = [
      { kind: 'creation', machines: 2 },
      { kind: 'upgrade', machines: 1 },
      { kind: 'scaling', machines: 1 },
    ];
    expect(timelineOf(new ObjectSet({ objects }), cluster, [first]).runs).toMatchObject(expected);
    // The server no longer has the history.
    const [creation, ...later] = timelineOf(new ObjectSet({ objects }), cluster).runs;
    expect([creation, ...later]).toMatchObject([{ ...expected[0], machines: 1 }, ...expected.slice(1)]);
  });

  it('lists only the creation in the phases and the critical path', () => {
    const timeline = timelineOf(new ObjectSet({ objects: [cluster, upgraded] }), cluster, [first]);
    expect(Math.max(...timeline.phases.map(({ endMs = 0 }) => endMs))).toBe(3_000);
    expect(timeline.criticalPath.at(-1)?.atMs).toBe(3_000);
  });

  it('keeps machines that follow each other closely in one run', () => {
    const second = machine('second', 4, 40);
    const { runs } = timelineOf(new ObjectSet({ objects: [cluster, first, second] }), cluster);
    expect(runs).toMatchObject([{ kind: 'creation', machines: 2, endMs: 40_000 }]);
  });
});
