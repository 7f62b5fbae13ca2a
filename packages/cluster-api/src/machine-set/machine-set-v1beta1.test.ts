import { describe, expect, it } from 'vitest';
import type { MachineSet } from '../api/index.js';
import { type MachineOptions, machineFixture, machineSetFixture } from '../testing/machine-objects.js';
import { deprecatedCounters, type DeprecatedConditionsInput, setDeprecatedConditions } from './machine-set-status.js';

const nowMs = Date.parse('2025-01-01T00:01:00Z');
const machine = (name: string, options: MachineOptions = {}) =>
  machineFixture(name, { conditions: { NodeReady: 'True' }, ...options });

describe('deprecatedCounters', () => {
  const labels = { 'cluster.x-k8s.io/set-name': 'ms' };
  const rows = [
    { name: 'counts Nodes', machines: [machine('a', { labels })], minReadySeconds: 0, then: [1, 1, 1] },
    { name: 'requires all labels of the template', machines: [machine('a')], minReadySeconds: 0, then: [0, 1, 1] },
    { name: 'ignores a machine without a Node', machines: [machine('a', { node: null })], then: [0, 0, 0] },
    { name: 'waits for minReadySeconds', machines: [machine('a')], minReadySeconds: 61, then: [0, 1, 0] },
    {
      name: 'does not wait without minReadySeconds, whatever the clock',
      machines: [machine('a')],
      at: Date.parse('2024-12-31T23:00:00Z'),
      then: [0, 1, 1],
    },
    {
      name: 'counts a Node that was ready for minReadySeconds',
      machines: [machine('a')],
      minReadySeconds: 60,
      then: [0, 1, 1],
    },
    {
      name: 'ignores a Node that is not ready',
      machines: [machine('a', { conditions: { NodeReady: 'Unknown' } })],
      then: [0, 0, 0],
    },
  ];
  it.each(rows)('$name', ({ machines, minReadySeconds = 0, at = nowMs, then }) => {
    const set = machineSetFixture(1, ({ spec }) => {
      spec.template.spec.minReadySeconds = minReadySeconds;
    });
    const counters = deprecatedCounters(set, machines, at);
    expect([counters.fullyLabeledReplicas, counters.readyReplicas, counters.availableReplicas]).toEqual(then);
  });
});

describe('setDeprecatedConditions', () => {
  const input: DeprecatedConditionsInput = {
    machines: [],
    replicas: 2,
    readyReplicas: 2,
    creationFailure: undefined,
    nowMs,
  };
  const reported = (set: MachineSet): string[] =>
    (set.status?.deprecated?.v1beta1?.conditions ?? []).map(
      ({ type, status, severity = '', reason = '', message = '' }) =>
        [type, status, severity, reason, message].join(' ').trim(),
    );
  const rows = [
    {
      name: 'has all replicas ready',
      given: {},
      then: ['Ready True', 'MachinesCreated True', 'MachinesReady True', 'Resized True'],
    },
    {
      name: 'too few',
      given: { replicas: 1 },
      then: [
        'Ready False Warning ScalingUp Scaling up MachineSet to 2 replicas (actual 1)',
        'MachinesReady True',
        'Resized False Warning ScalingUp Scaling up MachineSet to 2 replicas (actual 1)',
      ],
    },
    {
      name: 'too many',
      given: { replicas: 3 },
      then: [
        'Ready False Warning ScalingDown Scaling down MachineSet to 2 replicas (actual 3)',
        'MachinesCreated True',
        'MachinesReady True',
        'Resized False Warning ScalingDown Scaling down MachineSet to 2 replicas (actual 3)',
      ],
    },
    {
      name: 'is resized only when all are ready',
      given: { readyReplicas: 1 },
      then: ['Ready True', 'MachinesCreated True', 'MachinesReady True'],
    },
    {
      name: 'failed to create machines',
      given: { replicas: 2, creationFailure: { reason: 'MachineCreationFailed', message: 'no' } as const },
      then: [
        'Ready False Error MachineCreationFailed no',
        'MachinesCreated False Error MachineCreationFailed no',
        'MachinesReady True',
        'Resized True',
      ],
    },
  ];
  it.each(rows)('$name', ({ given, then }) => {
    const set = machineSetFixture(2);
    setDeprecatedConditions(set, { ...input, ...given });
    expect(reported(set)).toEqual(then);
  });
});
