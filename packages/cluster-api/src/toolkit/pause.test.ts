import { expect, it } from 'vitest';
import { pausedCondition } from './pause.js';

it('lists every cause in the Paused condition', () => {
  const machine = { kind: 'Machine', metadata: { name: 'm' } };
  const annotated = { ...machine, metadata: { name: 'm', annotations: { 'cluster.x-k8s.io/paused': '' } } };
  expect(pausedCondition(annotated, { spec: { paused: true } })).toMatchObject({
    status: 'True',
    reason: 'Paused',
    message: 'Cluster spec.paused is set to true, Machine has the cluster.x-k8s.io/paused annotation',
  });
  expect(pausedCondition(machine)).toMatchObject({ status: 'False', reason: 'NotPaused' });
});
