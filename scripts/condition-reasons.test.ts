import { expect, it } from 'vitest';
import { reasonsIn } from './condition-reasons.js';

it.each([
  {
    name: 'a table of reasons',
    source: "export const podReasons = { a: 'PodLost', b: 'not one' } as const;",
    then: ['PodLost'],
  },
  { name: 'a wait', source: "wait({ ms: 1, reason: 'WaitingForOwner' });", then: ['WaitingForOwner'] },
  {
    name: 'both branches of a condition',
    source: "set({ status: 'False', reason: isOld ? 'Stale' : ('Missing' as const) });",
    then: ['Missing', 'Stale'],
  },
  {
    name: 'a variable that a wait uses',
    source: "const reason = 'Deleting'; wait({ reason, message: '' });",
    then: ['Deleting'],
  },
  {
    name: 'a variable that an error uses',
    source: "const reason = isSet ? 'A1' : 'B2'; throw new DriverError(reason, '');",
    then: ['A1', 'B2'],
  },
  { name: 'a problem', source: "return { problem: { reason: 'NoneFits', message: '' } };", then: ['NoneFits'] },
  { name: 'an error', source: "throw new ReconcileError('InvalidSpec', 'text');", then: ['InvalidSpec'] },
])('collects the reason of $name', ({ source, then }) => {
  expect(reasonsIn('x.ts', source).toSorted()).toEqual(then);
});

it('ignores the reasons of events and writes', () => {
  const source = "const reason = 'Unused'; record({ type: 'Normal', reason: 'Created' }); new Error('Plain');";
  expect(reasonsIn('x.ts', source)).toEqual([]);
});
