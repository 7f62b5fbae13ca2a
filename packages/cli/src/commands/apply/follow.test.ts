import type { ChangeRecord } from '@slipway/runtime';
import type { Plan } from '@slipway/insight';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { Informer } from '@slipway/runtime';
import { expect, it } from 'vitest';
import { exitCodes } from '../../errors/index.js';
import { causeText, Progress } from './follow.js';

function record(verb: ChangeRecord['verb'], fields: Partial<ChangeRecord> = {}): ChangeRecord {
  return {
    time: 0,
    durationMs: 0,
    controller: 'machineset',
    object: { group: 'cluster.x-k8s.io', kind: 'Machine', namespace: 'default', name: 'm' },
    verb,
    reason: 'ScalingUp',
    message: '2 of 3 replicas',
    fields: [],
    result: 'ok',
    dryRun: false,
    ...fields,
  };
}

const machine = { namespace: 'default', name: 'm' };

it('shows the reason, the message and the controller of the change that created a machine', () => {
  const records = [record('apply'), record('status', { reason: 'StatusUpdated' }), record('delete', { reason: 'Old' })];
  expect(causeText({ ...machine, verb: 'create' }, records)).toBe(', ScalingUp: 2 of 3 replicas (machineset)');
});

it('shows no cause without a record: the management cluster has no change feed', () => {
  expect(causeText({ ...machine, verb: 'create' }, [])).toBe('');
});

it('shows no cause from a failed change, from another machine or from a workload cluster', () => {
  const other = { ...record('apply').object, name: 'other' };
  const records = [
    record('apply', { result: 'failed' }),
    record('apply', { object: other }),
    record('apply', { cluster: 'default/demo' }),
  ];
  expect(causeText({ ...machine, verb: 'create' }, records)).toBe('');
});

const plan: Plan = {
  summary: { create: 0, replace: 0, update: 0, delete: 0 },
  clusters: ['default/ours'],
  machines: [],
  steps: [],
  objects: [],
  isSettled: true,
  unsettled: [],
  blocked: [],
  simulatedSeconds: 0,
  assumedHooks: [],
  missing: [],
};

/** A Machine that never gets a Node. */
const starting = (cluster: string): Frozen<KubeObject> => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name: 'm', namespace: 'default' },
  spec: { clusterName: cluster },
});

const progressOf = (made: Plan, objects: readonly Frozen<KubeObject>[]): Progress => {
  const informer = { addHandler: () => undefined, list: () => objects } as unknown as Informer;
  return new Progress(made, [informer], () => Promise.resolve([]));
};

it('ends while a Cluster that the manifest does not touch is still in progress', async () => {
  const progress = progressOf(plan, [starting('stranger')]);
  expect(await progress.end(new AbortController().signal)).toBe(exitCodes.ok);
});

it('waits for the Clusters that the manifest touches', async () => {
  const abort = new AbortController();
  const end = progressOf(plan, [starting('ours')]).end(abort.signal);
  abort.abort();
  expect(await end).toBe(exitCodes.interrupted);
});

it('does not wait for objects of a plan that does not settle', async () => {
  const progress = progressOf({ ...plan, isSettled: false }, [starting('ours')]);
  expect(await progress.end(new AbortController().signal)).toBe(exitCodes.ok);
});
