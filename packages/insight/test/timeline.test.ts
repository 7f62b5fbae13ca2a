import { systemClock } from '@slipway/base';
import type { ChangeRecord } from '@slipway/runtime';
import { expect, it } from 'vitest';
import { readCluster, readHistory, timelineOf } from '../src/index.js';
import { clusterManifests, ref } from './manifests.js';
import { available } from './situations.js';
import { startSimulatedPlane } from './simulated-plane.js';

const startup = { vm: '20s', node: '5s', etcd: '2s', apiServer: '3s' };

// The test simulates hours, which takes long on a busy host.
const limitMs = 180_000;

it('returns the milestones and the critical path of a cluster', { timeout: limitMs }, async () => {
  const plane = await startSimulatedPlane();
  const records: ChangeRecord[] = [];
  plane.feed.subscribe((record) => void records.push(record));
  const key = { namespace: 'history', name: 'demo' };
  await available(plane, { ...key, controlPlanes: 3, workers: 2, startup, workerStartup: { vm: '40s', node: '5s' } });
  await plane.advance(180_000);
  const set = await readCluster(plane.client, key);
  const cluster = await plane.get(ref('Cluster', key.namespace, key.name));
  const timeline = timelineOf(set, cluster, await readHistory(plane.client, key, systemClock), records);
  await plane.stop();

  expect(timeline.phases.map(({ name }) => name)).toEqual([
    'manifest',
    'load balancer',
    'first control plane',
    'other control planes',
    'workers',
    'ready',
  ]);
  expect(timeline.missing).toEqual([]);
  const took = (name: string): number => {
    const phase = timeline.phases.find((one) => one.name === name);
    return ((phase?.endMs ?? 0) - (phase?.startMs ?? 0)) / 1_000;
  };
  // A control plane machine takes 28 s. Workers wait for the first control plane machine, and then take 45 s.
  expect(took('first control plane')).toBeGreaterThanOrEqual(28);
  expect(took('first control plane')).toBeLessThan(45);
  expect(took('other control planes')).toBeGreaterThanOrEqual(2 * 28);
  expect(took('workers')).toBeGreaterThanOrEqual(45);
  const path = timeline.criticalPath;
  expect(path[0]?.what).toBe('manifest applied');
  expect(path.at(-1)?.what).toBe('available');
  expect(path.reduce((sum, { tookMs }) => sum + tookMs, 0)).toBe(path.at(-1)?.atMs);
  expect(path.map(({ atMs }) => atMs)).toEqual(path.map(({ atMs }) => atMs).toSorted((left, right) => left - right));
  const slowest = path.toSorted((left, right) => right.tookMs - left.tookMs)[0];
  expect(slowest?.what).toMatch(/VMProvisioned|machine up/);
  const created = timeline.changes.filter(({ object, action }) => object.kind === 'Machine' && action === 'apply');
  expect(new Set(created.map(({ controller }) => controller))).toEqual(new Set(['kubeadmcontrolplane', 'machineset']));
  expect(
    timeline.changes.filter(({ action, reason, message }) => action === 'status' || reason === '' || message === ''),
  ).toEqual([]);
});

it('lists the milestones that are not reached yet', { timeout: limitMs }, async () => {
  const plane = await startSimulatedPlane();
  const key = { namespace: 'history', name: 'demo' };
  await plane.create(...clusterManifests({ ...key, startup: { vm: '1h' } }));
  await plane.advance(60_000);
  const set = await readCluster(plane.client, key);
  const timeline = timelineOf(set, await plane.get(ref('Cluster', key.namespace, key.name)));
  await plane.stop();
  expect(timeline.tookMs).toBeUndefined();
  expect(timeline.phases.find(({ name }) => name === 'first control plane')?.endMs).toBeUndefined();
  expect(timeline.missing.map(({ what }) => what)).toContain('control plane initialized');
  expect(timeline.criticalPath[0]?.what).toBe('manifest applied');
});
