import { describe, expect, it } from 'vitest';
import {
  type Condition,
  ConditionConflictError,
  type ConditionTarget,
  compareConditions,
  mergeConditionLists,
  setCondition,
} from './index.js';

const t0 = Date.UTC(2026, 0, 1);
const at0 = '2026-01-01T00:00:00Z';
const at5 = '2026-01-01T00:00:05Z';

function condition(type: string, status: Condition['status']): Condition {
  return { type, status, reason: 'Because', message: '', lastTransitionTime: at0 };
}

describe('setCondition', () => {
  it('changes the transition time only with the status, and always sets observedGeneration [14.8]', () => {
    const target: ConditionTarget = { metadata: { generation: 1 } };
    setCondition(target, { type: 'Ready', status: 'False', reason: 'A' }, t0 + 400);
    target.metadata.generation = 2;
    setCondition(target, { type: 'Ready', status: 'False', reason: 'B', message: 'm' }, t0 + 5_000);
    expect(target.status?.conditions).toEqual([
      { type: 'Ready', status: 'False', observedGeneration: 2, lastTransitionTime: at0, reason: 'B', message: 'm' },
    ]);
    setCondition(target, { type: 'Ready', status: 'True', reason: 'C' }, t0 + 5_999);
    expect(target.status?.conditions?.[0]?.lastTransitionTime).toBe(at5);
  });

  it('truncates a given transition time to seconds', () => {
    const target: ConditionTarget = { metadata: {} };
    setCondition(target, { type: 'X', status: 'True', reason: 'A', lastTransitionTime: '2026-01-01T00:00:05.9Z' }, t0);
    expect(target.status?.conditions?.[0]?.lastTransitionTime).toBe(at5);
  });

  it('sorts conditions like Cluster API', () => {
    const types = ['Deleting', 'Paused', 'Zebra', 'Apple', 'ScalingUp', 'Ready', 'Available', 'InfrastructureReady'];
    expect(
      types
        .map((type) => ({ type }))
        .sort(compareConditions)
        .map(({ type }) => type),
    ).toEqual(['Available', 'Ready', 'InfrastructureReady', 'ScalingUp', 'Apple', 'Zebra', 'Paused', 'Deleting']);
  });
});

describe('mergeConditionLists', () => {
  const a = condition('A', 'True');
  const aFalse = condition('A', 'False');
  const b = condition('B', 'True');
  const bFalse = condition('B', 'False');
  const rows = [
    {
      name: 'keeps conditions of other writers',
      before: [a],
      after: [aFalse],
      latest: [a, b],
      owned: ['A'],
      then: [aFalse, b],
    },
    {
      name: 'overwrites owned conditions',
      before: [a],
      after: [a, b],
      latest: [a, bFalse],
      owned: ['B'],
      then: [a, b],
    },
    { name: 'removes owned conditions', before: [a, b], after: [a], latest: [a, bFalse], owned: ['B'], then: [a] },
    {
      name: 'accepts the same change by two writers',
      before: [a],
      after: [aFalse],
      latest: [aFalse],
      owned: [],
      then: [aFalse],
    },
    {
      name: 'keeps the values of other writers in unchanged conditions',
      before: [a],
      after: [a],
      latest: [aFalse],
      owned: ['A'],
      then: [aFalse],
    },
  ];
  it.each(rows)('$name', ({ before, after, latest, owned, then }) => {
    expect(mergeConditionLists(before, after, latest, { owned, compare: compareConditions })).toEqual(then);
  });

  it('rejects a condition that another writer changed meanwhile', () => {
    const options = { owned: [], compare: compareConditions };
    expect(() => mergeConditionLists([], [b], [bFalse], options)).toThrow(ConditionConflictError);
    expect(() => mergeConditionLists([b], [bFalse], [], options)).toThrow(/deleted by another process/);
  });
});
