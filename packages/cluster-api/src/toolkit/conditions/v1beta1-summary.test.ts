import { expect, it } from 'vitest';
import { getV1beta1Condition, type V1beta1Condition } from './v1beta1.js';
import { setV1beta1Summary } from './v1beta1-summary.js';

type Given = Omit<V1beta1Condition, 'lastTransitionTime'>;

const types = ['Infrastructure', 'Bootstrap', 'Drain'];
const waiting: Given = { type: 'Infrastructure', status: 'False', severity: 'Info', reason: 'Waiting', message: 'w' };
const failed: Given = { type: 'Bootstrap', status: 'False', severity: 'Error', reason: 'Failed', message: 'f' };
const good: Given = { type: 'Bootstrap', status: 'True' };
const dim: Given = { type: 'Drain', status: 'Unknown', reason: 'Dim', message: 'd' };

const rows: { name: string; given: Given[]; steps?: string[]; then: Partial<V1beta1Condition> | undefined }[] = [
  { name: 'returns undefined without conditions', given: [], then: undefined },
  { name: 'is True if all are True', given: [good], then: { status: 'True' } },
  {
    name: 'reports the worst',
    given: [waiting, failed],
    then: { status: 'False', severity: 'Error', reason: 'Failed', message: 'f' },
  },
  { name: 'prefers known states to Unknown', given: [good, dim], then: { status: 'True' } },
  { name: 'is Unknown if all are Unknown', given: [dim], then: { status: 'Unknown', reason: 'Dim', message: 'd' } },
  {
    name: 'counts steps',
    given: [waiting, good],
    steps: ['Infrastructure', 'Bootstrap'],
    then: { status: 'False', severity: 'Info', reason: 'Waiting', message: '1 of 2 completed' },
  },
  {
    name: 'does not count steps if other conditions exist',
    given: [waiting, good, dim],
    steps: ['Infrastructure', 'Bootstrap'],
    then: { status: 'False', severity: 'Info', reason: 'Waiting', message: 'w' },
  },
];
it.each(rows)('$name', ({ given, steps, then }) => {
  const lastTransitionTime = '2025-01-01T00:00:00Z';
  const conditions = given.map((condition) => ({ ...condition, lastTransitionTime }));
  const target = { status: { deprecated: { v1beta1: { conditions } } } };
  setV1beta1Summary(target, { types, ...(steps && { steps }) }, Date.parse('2025-01-01T00:00:01Z'));
  const lastSet = '2025-01-01T00:00:01Z';
  expect(getV1beta1Condition(target, 'Ready')).toEqual(then && { type: 'Ready', lastTransitionTime: lastSet, ...then });
});
