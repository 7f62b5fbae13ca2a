import { expect, it } from 'vitest';
import { compareConditionTypes } from './conditions.js';

it('keeps unknown types in alphabetical order before Paused and Deleting', () => {
  const types = ['Deleting', 'Zebra', 'Ready', 'Paused', 'Apple', 'Available', 'WorkerMachinesUpToDate'];
  expect(types.sort(compareConditionTypes)).toEqual([
    'Available',
    'Ready',
    'WorkerMachinesUpToDate',
    'Apple',
    'Zebra',
    'Paused',
    'Deleting',
  ]);
});
