import type { Condition, Conditioned } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import {
  aggregateCondition,
  markFalse,
  markTrue,
  mirrorCondition,
  reasonByWorst,
  summaryCondition,
  type V1beta1Target,
} from './index.js';

const t0 = Date.UTC(2026, 0, 1);
const at0 = '2026-01-01T00:00:00Z';
const at5 = '2026-01-01T00:00:05Z';

function condition(type: string, status: Condition['status'], message = '', reason = 'Because'): Condition {
  return { type, status, reason, message, lastTransitionTime: at0 };
}

describe('summaryCondition', () => {
  const options = { types: ['A', 'B', '!C'], negativeTypes: ['!C'] };
  const rows: { name: string; given: Condition[]; then: { status: string; reason: string; message: string } }[] = [
    {
      name: 'one issue',
      given: [condition('B', 'False', 'B is broken'), condition('A', 'True', 'fine'), condition('!C', 'False')],
      then: { status: 'False', reason: 'IssuesReported', message: '* B: B is broken' },
    },
    {
      name: 'lists issues and unknowns in the order of types, with the reason if there is no message',
      given: [
        condition('!C', 'True', '', 'Deleting'),
        condition('A', 'Unknown', 'who knows'),
        condition('B', 'True', 'x'),
      ],
      then: { status: 'False', reason: 'IssuesReported', message: '* A: who knows\n* !C: Deleting' },
    },
    {
      name: 'treats a missing source as unknown',
      given: [condition('A', 'True'), condition('B', 'True')],
      then: { status: 'Unknown', reason: 'UnknownReported', message: '* !C: Condition not yet reported' },
    },
    {
      name: 'reports only conditions with a message if all are good',
      given: [condition('A', 'True', 'all fine'), condition('B', 'True'), condition('!C', 'False')],
      then: { status: 'True', reason: 'InfoReported', message: '* A: all fine' },
    },
    {
      name: 'indents nested bullets',
      given: [
        condition('A', 'False', '* x: 1\n* y: 2'),
        condition('B', 'False', 'head:\n* x'),
        condition('!C', 'False'),
      ],
      then: {
        status: 'False',
        reason: 'IssuesReported',
        message: '* A:\n  * x: 1\n  * y: 2\n* B:\n  * head:\n    * x',
      },
    },
  ];
  it.each(rows)('$name', ({ given, then }) => {
    const object = { kind: 'Machine', metadata: { name: 'm' }, status: { conditions: given } };
    expect(summaryCondition(object, 'Ready', options)).toEqual({ type: 'Ready', ...then });
  });

  it('uses custom reasons', () => {
    const object = { metadata: {}, status: { conditions: [condition('A', 'True')] } };
    const reasonOf = reasonByWorst('NotReady', 'ReadyUnknown', 'Ready');
    const summary = summaryCondition(object, 'Ready', { types: ['A'], strategy: { reasonOf } });
    expect(summary).toEqual({ type: 'Ready', status: 'True', reason: 'Ready', message: '' });
  });
});

describe('aggregateCondition', () => {
  const machine = (name: string, status: Condition['status'], message: string, controlPlane = false): Conditioned => ({
    kind: 'Machine',
    metadata: { name, labels: controlPlane ? { 'cluster.x-k8s.io/control-plane': '' } : {} },
    status: { conditions: [condition('Ready', status, message)] },
  });
  const rows = [
    {
      name: 'groups equal messages',
      given: [machine('b', 'False', 'boom'), machine('a', 'False', 'boom'), machine('c', 'True', 'fine')],
      then: { status: 'False', reason: 'IssuesReported', message: '* Machines a, b: boom' },
    },
    {
      name: 'names three objects and counts the others',
      given: ['e', 'd', 'c', 'b', 'a'].map((name) => machine(name, 'False', 'boom')),
      then: { status: 'False', reason: 'IssuesReported', message: '* Machines a, b, c, ... (2 more): boom' },
    },
    {
      name: 'reports three messages, control plane machines first, and counts the other objects [14.39]',
      given: [
        machine('a', 'False', '1'),
        machine('b', 'False', '1'),
        machine('c', 'False', '2'),
        machine('d', 'Unknown', '3'),
        machine('e', 'Unknown', '4', true),
        machine('f', 'False', '5'),
        machine('g', 'Unknown', '6'),
        machine('h', 'Unknown', '7'),
      ],
      then: {
        status: 'False',
        reason: 'IssuesReported',
        message:
          '* Machine e: 4\n* Machines a, b: 1\n* Machine c: 2\nAnd 1 Machine with other issues\nAnd 3 Machines with status unknown',
      },
    },
    {
      name: 'reports info only without issues',
      given: [machine('a', 'True', 'hello'), machine('b', 'True', '')],
      then: { status: 'True', reason: 'InfoReported', message: '* Machine a: hello' },
    },
  ];
  it.each(rows)('$name', ({ given, then }) => {
    expect(aggregateCondition(given, 'Ready', { targetType: 'MachinesReady' })).toEqual({
      type: 'MachinesReady',
      ...then,
    });
  });

  it('keeps a negative polarity, and treats a missing condition as unknown', () => {
    const given = [{ kind: 'MachineSet', metadata: { name: 's' } }];
    expect(aggregateCondition(given, 'ScalingUp', { negative: true })).toEqual({
      type: 'ScalingUp',
      status: 'Unknown',
      reason: 'UnknownReported',
      message: '* MachineSet s: Condition ScalingUp not yet reported',
    });
  });
});

describe('mirrorCondition', () => {
  it('keeps the transition time of the source, and names the type if it has no reason', () => {
    const source = { metadata: {}, status: { conditions: [condition('Ready', 'True', 'm', 'NoReasonReported')] } };
    expect(mirrorCondition(source, 'Ready', { targetType: 'InfrastructureReady' })).toEqual({
      type: 'InfrastructureReady',
      status: 'True',
      reason: 'Ready',
      message: 'm',
      lastTransitionTime: at0,
    });
  });

  it('uses the fallback', () => {
    const fallback = { status: 'False', reason: 'NotProvisioned', message: 'x' } as const;
    expect(mirrorCondition({ metadata: {} }, 'Ready', { fallback })).toEqual({ type: 'Ready', ...fallback });
    expect(mirrorCondition({ metadata: {} }, 'Ready').message).toBe('Condition Ready not yet reported');
  });
});

describe('v1beta1', () => {
  it('updates the transition time with any change, and puts Ready first', () => {
    const target: V1beta1Target = {};
    const cause = { reason: 'R', severity: 'Warning', message: 'm' } as const;
    markFalse(target, 'A', cause, t0);
    markTrue(target, 'Ready', t0);
    markFalse(target, 'A', cause, t0 + 5_000);
    expect(target.status?.deprecated?.v1beta1?.conditions).toEqual([
      { type: 'Ready', status: 'True', lastTransitionTime: at0 },
      { type: 'A', status: 'False', ...cause, lastTransitionTime: at0 },
    ]);
    markFalse(target, 'A', { ...cause, message: 'other' }, t0 + 5_000);
    expect(target.status?.deprecated?.v1beta1?.conditions?.[1]?.lastTransitionTime).toBe(at5);
  });
});
