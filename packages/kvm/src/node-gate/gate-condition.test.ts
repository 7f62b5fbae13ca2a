import type { Node, Pod, PodCondition } from '@slipway/kube/builtin';
import { describe, expect, it } from 'vitest';
import { gateCondition, type NodeEvidence } from './gate-condition.js';

const type = 'infrastructure.cluster.x-k8s.io/workload-node-ready';
const now = '2026-01-01T00:00:10Z';
const before = '2026-01-01T00:00:00Z';
const pod = (...conditions: PodCondition[]): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'w' },
  status: { conditions },
});
const node = (status: string, message?: string): NodeEvidence => {
  const object: Node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'w' },
    status: { conditions: [{ type: 'Ready', status, ...(message && { message }) }] },
  };
  return { type: 'node', node: object };
};
const ready = { type, status: 'True', reason: 'NodeReady', message: 'Node w is ready', lastTransitionTime: before };

describe('the readiness gate of a worker', () => {
  it.each<{ name: string; evidence: NodeEvidence; status: string; reason: string }>([
    { name: 'a ready Node', evidence: node('True'), status: 'True', reason: 'NodeReady' },
    { name: 'a Node that is not ready', evidence: node('False', 'no CNI'), status: 'False', reason: 'NodeNotReady' },
    { name: 'a kubelet that stopped reporting', evidence: node('Unknown'), status: 'Unknown', reason: 'NodeNotReady' },
    {
      name: 'a deleted Node',
      evidence: { type: 'missing', hadNode: true },
      status: 'False',
      reason: 'NodeDeleted',
    },
    {
      name: 'a Node that does not exist yet',
      evidence: { type: 'missing', hadNode: false },
      status: 'Unknown',
      reason: 'NodeNotFound',
    },
  ])('$name: $status', ({ evidence, status, reason }) => {
    expect(gateCondition(pod(), evidence, now)).toMatchObject({ type, status, reason, lastTransitionTime: now });
  });

  it('keeps its condition while the workload cluster is unreachable [kvm 16]', () => {
    expect(gateCondition(pod(ready), { type: 'unknown' }, now)).toBeUndefined();
  });

  it('writes only changes, and lastTransitionTime only when the status changes', () => {
    expect(gateCondition(pod(ready), node('True'), now)).toBeUndefined();
    const other = { ...ready, message: 'something else' };
    expect(gateCondition(pod(other), node('True'), now)).toEqual(ready);
    expect(gateCondition(pod(ready), node('False'), now)).toMatchObject({ status: 'False', lastTransitionTime: now });
  });
});
