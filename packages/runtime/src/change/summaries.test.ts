import type { Frozen, KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { differsOnlyInSummaries } from './summaries.js';

const condition = { type: 'Ready', status: 'False', reason: 'NotReady', message: '1 of 3', lastTransitionTime: 'then' };
const legacy = { ...condition, severity: 'Info' };
const scaling = { ...condition, type: 'ScalingUp' };
type Condition = Partial<typeof legacy>;
const summaries = { conditions: ['ScalingUp'], messages: ['Ready'], fields: ['counts'] };

function set(conditions: Condition[], legacyConditions: Condition[], others: object = {}): Frozen<KubeObject> {
  const deprecated = { v1beta1: { conditions: legacyConditions, readyReplicas: 1 } };
  const status = { phase: 'Running', counts: 3, conditions, deprecated, ...others };
  return { apiVersion: 'x.io/v1', kind: 'Set', metadata: { name: 'a' }, spec: { replicas: 3 }, status };
}

describe('a difference only in summaries', () => {
  const before = set([condition, scaling], [legacy]);
  const message = '2 of 3';
  it.each([
    { name: 'a message', after: set([{ ...condition, message }, scaling], [legacy]), only: true },
    { name: 'a summary', after: set([condition, { ...scaling, status: 'True', message }], [legacy]), only: true },
    { name: 'a new summary', after: set([condition], [legacy]), only: true },
    { name: 'a field that is a summary', after: set([condition, scaling], [legacy], { counts: 4 }), only: true },
    {
      name: 'a v1beta1 reason',
      after: set([condition, scaling], [{ ...legacy, message, reason: 'Waiting', lastTransitionTime: 'now' }]),
      only: true,
    },
    { name: 'a status', after: set([{ ...condition, message, status: 'True' }, scaling], [legacy]), only: false },
    { name: 'a reason', after: set([{ ...condition, message, reason: 'Waiting' }, scaling], [legacy]), only: false },
    { name: 'a v1beta1 status', after: set([condition, scaling], [{ ...legacy, status: 'True' }]), only: false },
    { name: 'another message', after: set([condition, { ...scaling, type: 'Updating' }], [legacy]), only: false },
    { name: 'another field', after: set([condition, scaling], [legacy], { phase: 'Failed' }), only: false },
    { name: 'the spec', after: { ...set([condition, scaling], [legacy]), spec: { replicas: 4 } }, only: false },
  ])('is $only for $name', ({ after, only }) => {
    expect(differsOnlyInSummaries(before, after, summaries)).toBe(only);
  });

  it('does not apply to an object that is being deleted', () => {
    const metadata = { name: 'a', deletionTimestamp: '2026-01-01T00:00:00Z' };
    const after = set([{ ...condition, message }, scaling], [legacy]);
    expect(differsOnlyInSummaries({ ...before, metadata }, { ...after, metadata }, summaries)).toBe(false);
  });
});
