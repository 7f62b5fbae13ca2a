import { expect, it } from 'vitest';
import { deepFreeze } from '@slipway/kube';
import { edit } from '../change/edit.js';
import type { Condition, NewCondition } from './condition.js';
import { type ConditionTarget, setCondition } from './set-condition.js';
import { withConditions } from './with-conditions.js';

const nowMs = Date.parse('2026-01-01T00:00:00.700Z');
const condition = (type: string, status: 'True' | 'False', more: Partial<Condition> = {}): Condition => ({
  type,
  status,
  observedGeneration: 3,
  lastTransitionTime: '2025-01-01T00:00:00Z',
  reason: 'Reason',
  message: '',
  ...more,
});
const object = deepFreeze({
  kind: 'Thing',
  metadata: { name: 't', generation: 3 },
  status: {
    phase: 'Old',
    conditions: [condition('Ready', 'True'), condition('Alpha', 'True'), condition('Paused', 'False')],
  },
});

const rows: { name: string; given: NewCondition[] }[] = [
  { name: 'none', given: [] },
  { name: 'no change', given: [{ type: 'Ready', status: 'True', reason: 'Reason' }] },
  {
    name: 'another reason keeps the transition time',
    given: [{ type: 'Ready', status: 'True', reason: 'Other', message: 'm' }],
  },
  { name: 'another status changes the transition time', given: [{ type: 'Ready', status: 'False', reason: 'Bad' }] },
  {
    name: 'several in order, the last value of a type wins',
    given: [
      { type: 'Deleting', status: 'False', reason: 'Not' },
      { type: 'Beta', status: 'True', reason: 'B', lastTransitionTime: '2024-01-01T00:00:00Z' },
      { type: 'Available', status: 'True', reason: 'A' },
      { type: 'Available', status: 'False', reason: 'Z' },
    ],
  },
];
it.each(rows)('sets conditions like a draft does: $name', ({ given }) => {
  const drafted = edit(object, (draft) => {
    for (const each of given) setCondition(draft as ConditionTarget, each, nowMs);
  });
  const made = withConditions(object, given, nowMs);
  expect(made).toEqual(drafted);
  expect(made === object).toBe(drafted === object);
  expect(Object.isFrozen(made.status)).toBe(true);
});
