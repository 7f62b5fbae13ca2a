import { expect, it } from 'vitest';
import { sampleTree } from './testdata/sample-tree.js';
import { firstCause, treeChanges, treeState } from './tree-changes.js';

it('reports changed objects in the order of the tree, then deleted ones', () => {
  const before = treeState(sampleTree);
  const [infrastructure, controlPlane, workers] = sampleTree.children;
  const after = treeState({
    ...sampleTree,
    condition: { type: 'Available', status: 'True', reason: 'Available', message: '', lastTransitionTime: '' },
    children: [infrastructure, controlPlane].filter((node) => node !== undefined),
  });
  expect(workers?.children).toHaveLength(1);
  expect(treeChanges(before, after)).toEqual([
    'Cluster default/demo: 4/6 ready, Available',
    'MachineDeployment default/demo-workers, v1.35.0: deleted',
    '!! DELETED !! Machine default/demo-workers-br6sr-jcz9x, v1.35.0: deleted',
    'Machine default/demo-workers-br6sr-ndcv4, v1.35.0: deleted',
    'Machine default/demo-workers-br6sr-x7k2p, v1.35.0: deleted',
  ]);
});

it('does not report an object that the tree only hides', () => {
  const before = treeState(sampleTree);
  const after = treeState({ ...sampleTree, children: [] });
  expect(treeChanges(before, after, () => true)).toEqual([]);
});

it('shows the reason of an unhealthy object in one line', () => {
  expect(treeChanges(new Map(), treeState(sampleTree))[0]).toBe(
    'Cluster default/demo: 4/6 ready, not Available (NotAvailable: WorkersAvailable: MachineDeployment demo-workers: 1 available replicas, at least 3 required (spec.strategy.rollout.maxUnavailable is 0, spec.replicas is 3))',
  );
});

it.each([
  { message: '', then: '' },
  { message: 'Waiting for something', then: 'Waiting for something' },
  { message: '* InfrastructureReady: not yet\n* WorkersAvailable: neither', then: 'InfrastructureReady: not yet' },
  {
    message:
      '* WorkersAvailable:\n  * MachineDeployment a: 0 available replicas\n  * MachineDeployment b: 1\n* Other: x',
    then: 'WorkersAvailable: MachineDeployment a: 0 available replicas',
  },
  { message: '* A:\n  * B:\n    * C\n  * D', then: 'A: B: C' },
])('summarizes a message as "$then"', ({ message, then }) => expect(firstCause(message)).toBe(then));
