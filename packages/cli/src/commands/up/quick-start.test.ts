import { readFileSync } from 'node:fs';
import type { Counters, TreeNode } from '@slipway/insight';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { isUp, quickStartObjects } from './quick-start.js';

it('creates the cluster that the documentation shows', () => {
  const text = readFileSync(new URL('../../../../../docs/samples/quick-start.yaml', import.meta.url), 'utf8');
  expect(quickStartObjects('quick-start')).toEqual(
    parseAllDocuments(text).map((document) => document.toJS() as unknown),
  );
});

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
