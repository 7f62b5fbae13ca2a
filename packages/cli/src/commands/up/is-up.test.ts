import type { Counters, TreeNode } from '@slipway/insight';
import { describe, expect, it } from 'vitest';
import { isUp } from './is-up.js';

describe('isUp', () => {
  it.each<[boolean, 'True' | 'False', Counters]>([
    [true, 'True', { replicas: '3/3', ready: 3 }],
    [false, 'True', { replicas: '3/3', ready: 2 }],
    [false, 'True', { replicas: '2/3', ready: 2 }],
    [false, 'True', {}],
    [false, 'False', { replicas: '3/3', ready: 3 }],
  ])('is %s when Available is %s with %o', (up, status, counters) => {
    expect(isUp(cluster(status, counters))).toBe(up);
  });
});

function cluster(status: 'True' | 'False', counters: Counters): TreeNode {
  const condition = { type: 'Available', status, reason: status, message: '', lastTransitionTime: '' };
  return { kind: 'Cluster', namespace: 'default', name: 'quick-start', counters, condition, children: [] };
}
