import { describe, expect, it } from 'vitest';
import { aggregateV1beta1Ready } from './v1beta1-merge.js';

type Ready = { status: string; severity?: string; reason?: string; message?: string };
const machine = (name: string, ready?: Ready) => ({
  kind: 'Machine',
  metadata: { name },
  status: { deprecated: { v1beta1: { conditions: ready === undefined ? [] : [{ type: 'Ready', ...ready }] } } },
});

describe('aggregateV1beta1Ready', () => {
  const well = machine('a', { status: 'True' });
  const rows = [
    { name: 'returns undefined without the condition', objects: [machine('a')], then: undefined },
    { name: 'is True if all are True', objects: [well, machine('b')], then: { status: 'True' } },
    {
      name: 'reports the worst first, with its source',
      objects: [
        well,
        machine('b', { status: 'False', severity: 'Info', reason: 'Waiting' }),
        machine('c', { status: 'False', severity: 'Error', reason: 'Failed', message: 'x' }),
      ],
      then: { status: 'False', severity: 'Error', reason: 'Failed @ Machine/c', message: '1 of 3 completed' },
    },
    {
      name: 'prefers known states to Unknown',
      objects: [machine('b', { status: 'Unknown', reason: 'Dim' }), well],
      then: { status: 'True' },
    },
  ];
  it.each(rows)('$name', ({ objects, then }) => {
    expect(aggregateV1beta1Ready(objects)).toEqual(then);
  });
});
