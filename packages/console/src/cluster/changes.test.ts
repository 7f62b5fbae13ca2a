import { ObjectSet, type Observed } from '@slipway/insight';
import type { ChangeRecord } from '@slipway/runtime';
import { expect, it } from 'vitest';
import { changesOf } from './changes.js';

const machine = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine' };
const readable: Observed = { ...machine, metadata: { namespace: 'a', name: 'seen', uid: '1' } };

function record(object: Partial<ChangeRecord['object']>, fields: Partial<ChangeRecord> = {}): ChangeRecord {
  return {
    time: 1_000,
    durationMs: 0,
    controller: 'machine',
    object: { group: 'cluster.x-k8s.io', kind: 'Machine', namespace: 'a', name: 'seen', uid: '1', ...object },
    verb: 'patch',
    reason: 'FinalizerAdded',
    message: 'Add the finalizer',
    fields: [{ path: 'metadata.finalizers' }],
    result: 'ok',
    dryRun: false,
    ...fields,
  };
}

it('shows changes of the objects that the user was allowed to read, and of no others', () => {
  const set = new ObjectSet({ objects: [readable] });
  const records = [
    record({}),
    record({ name: 'unseen', uid: '2' }),
    record({ kind: 'Secret', group: '' }),
    record({ uid: '0' }, { reason: 'EarlierObject' }),
    record({}, { cluster: 'a/workload' }),
  ];
  expect(Object.values(changesOf(set, records))).toEqual([
    {
      about: { group: 'cluster.x-k8s.io', kind: 'Machine', namespace: 'a', name: 'seen' },
      at: 1_000,
      controller: 'machine',
      action: 'patch',
      reason: 'FinalizerAdded',
      message: 'Add the finalizer',
      failed: false,
    },
  ]);
});

it('lists the newest 150 changes', () => {
  const records = Array.from({ length: 200 }, (_, time) => record({}, { time }));
  const times = Object.values(changesOf(new ObjectSet({ objects: [readable] }), records)).map(({ at }) => at);
  expect(times).toHaveLength(150);
  expect(Math.min(...times)).toBe(50);
});
