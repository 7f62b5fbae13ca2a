import { expect, it } from 'vitest';
import { makePlan, type Plan } from './plan.js';

const largePlan = (seed: number): Plan => makePlan({ seed, clusters: 20, minutes: 30 });
const plans = Array.from({ length: 60 }, (_, index) => largePlan(index + 1));

it('includes every action and every fault in a run with many clusters', () => {
  const did = new Set(plans.flatMap(({ actions }) => actions.map(({ kind }) => kind)));
  expect([...did].sort()).toEqual([
    'changeTemplate',
    'create',
    'deleteCluster',
    'deleteMachine',
    'pause',
    'resume',
    'scaleControlPlane',
    'scaleWorkers',
    'upgrade',
  ]);
  const wrong = new Set(plans.flatMap(({ faults }) => faults.map(({ kind }) => kind)));
  expect([...wrong].sort()).toEqual([
    'clockJump',
    'crashAtWrite',
    'crashManager',
    'crashServer',
    'diskFailure',
    'diskSlow',
    'infrastructureFailure',
    'infrastructureSlow',
    'lateEvents',
    'machineFailure',
    'network',
    'stopManager',
    'unreachable',
  ]);
  expect(new Set(plans.map(({ shape }) => shape)).size).toBe(2);
});

it('creates every cluster, and acts on large and small ones, in a run with many clusters', () => {
  for (const { actions, clusters } of plans) {
    const created = actions.filter(({ kind }) => kind === 'create').map(({ cluster }) => cluster);
    expect(created.sort((left, right) => left - right)).toEqual(Array.from({ length: clusters }, (_, index) => index));
  }
  const later = plans.flatMap(({ actions, large }) =>
    actions.filter(({ kind }) => kind !== 'create').map(({ cluster }) => cluster < large),
  );
  expect(new Set(later).size).toBe(2);
});

it('fails machines of large clusters only', () => {
  const lost = plans.flatMap(({ faults, large }) =>
    faults.filter(({ kind }) => kind === 'machineFailure').map(({ cluster }) => cluster < large),
  );
  expect(new Set(lost)).toEqual(new Set([true]));
});

it.each([
  { clusters: 1, large: 1 },
  { clusters: 4, large: 4 },
  { clusters: 5, large: 2 },
  { clusters: 20, large: 2 },
])('has $large large clusters of $clusters clusters', ({ clusters, large }) => {
  expect(makePlan({ seed: 1, clusters, minutes: 30 }).large).toBe(large);
});

it('does not change the sizes that a scenario sets', () => {
  expect(makePlan({ seed: 1, clusters: 20, minutes: 30, scenario: 'impatience' }).large).toBe(20);
});
