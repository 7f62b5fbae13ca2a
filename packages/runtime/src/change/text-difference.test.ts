import type { Frozen, KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { differsOnlyInText } from './text-difference.js';

const condition = { type: 'Ready', status: 'False', reason: 'NotReady', message: '1 of 3', lastTransitionTime: 'then' };
const legacy = { ...condition, severity: 'Info' };
type Condition = Partial<typeof legacy>;

function set(conditions: Condition[], legacyConditions: Condition[], others: object = {}): Frozen<KubeObject> {
  const status = {
    replicas: 3,
    conditions,
    deprecated: { v1beta1: { conditions: legacyConditions, readyReplicas: 1 } },
  };
  return { apiVersion: 'x.io/v1', kind: 'Set', metadata: { name: 'a' }, spec: { replicas: 3 }, status, ...others };
}

describe('a difference only in text', () => {
  const before = set([condition], [legacy]);
  const message = '2 of 3';
  it.each([
    { name: 'a message', after: set([{ ...condition, message }], [legacy]), only: true },
    {
      name: 'a v1beta1 reason',
      after: set([condition], [{ ...legacy, message, reason: 'Waiting', lastTransitionTime: 'now' }]),
      only: true,
    },
    { name: 'a status', after: set([{ ...condition, message, status: 'True' }], [legacy]), only: false },
    { name: 'a reason', after: set([{ ...condition, message, reason: 'Waiting' }], [legacy]), only: false },
    { name: 'a v1beta1 status', after: set([condition], [{ ...legacy, status: 'True' }]), only: false },
    { name: 'another condition', after: set([condition, { ...condition, type: 'Available' }], [legacy]), only: false },
    { name: 'the spec', after: set([{ ...condition, message }], [legacy], { spec: { replicas: 4 } }), only: false },
    {
      name: 'the metadata',
      after: set([condition], [legacy], { metadata: { name: 'a', labels: { a: 'b' } } }),
      only: false,
    },
    { name: 'no status at all', after: set([], [], { status: undefined }), only: false },
  ])('is $only for $name', ({ after, only }) => {
    expect(differsOnlyInText(before, after)).toBe(only);
  });

  it('does not apply to an object that is being deleted', () => {
    const metadata = { name: 'a', deletionTimestamp: '2026-01-01T00:00:00Z' };
    const deleting = set([condition], [legacy], { metadata });
    expect(differsOnlyInText(deleting, set([{ ...condition, message }], [legacy], { metadata }))).toBe(false);
  });
});
