import type { KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { writeCause } from './write-cause.js';

function object(more: Partial<KubeObject['metadata']> = {}, rest: Record<string, unknown> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a', finalizers: ['x.io/held'], ...more }, ...rest };
}

describe('writeCause', () => {
  const before = object({}, { status: { phase: 'Pending' } });
  const body = { reason: 'RevisionChanged', message: 'revision 1 -> 2' };
  const rows = [
    { name: 'only the status differs', after: object({}, { status: { phase: 'Running' } }), then: 'StatusUpdated' },
    { name: 'a label was added', after: object({ labels: { a: 'b' } }), then: 'Adopted' },
    { name: 'a label was added for a given reason', after: object({ labels: { a: 'b' } }), body, then: body.reason },
    { name: 'only the status differs, whatever the reason for the rest', after: object(), body, then: 'StatusUpdated' },
    { name: 'the finalizer was removed', after: object({ finalizers: [] }), body, then: 'FinalizerRemoved' },
  ];
  it.each(rows)('is $then if $name', ({ after, body: given, then }) => {
    expect(writeCause(before, after, { finalizer: 'x.io/held', body: given }).reason).toBe(then);
  });
});
