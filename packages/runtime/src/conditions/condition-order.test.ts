import { expect, it } from 'vitest';
import { compareConditions } from './condition-order.js';

it('keeps unknown types in alphabetical order before Paused and Deleting', () => {
  const types = ['Deleting', 'Zebra', 'Ready', 'Paused', 'Apple', 'Available', 'WorkerMachinesUpToDate'];
  const sorted = types.map((type) => ({ type })).sort(compareConditions);
  expect(sorted.map(({ type }) => type)).toEqual([
    'Available',
    'Ready',
    'WorkerMachinesUpToDate',
    'Apple',
    'Zebra',
    'Paused',
    'Deleting',
  ]);
});
