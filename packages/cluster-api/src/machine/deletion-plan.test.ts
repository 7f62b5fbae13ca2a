import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@slipway/kube';
import { edit } from '@slipway/runtime';
import type { Machine } from '../api/index.js';
import { machineFixture } from '../testing/machine-objects.js';
import { type DeletionInput, hooksOf, isNodeDeletionOver, planDeletion, stepLimitMs } from './deletion-plan.js';

const nowMs = Date.parse('2026-01-01T01:00:00Z');
const infrastructure: KubeObject = { apiVersion: 'i/v1', kind: 'I', metadata: { name: 'm' } };
const deleting: KubeObject = { ...infrastructure, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };
const preDrain = 'pre-drain.delete.hook.machine.cluster.x-k8s.io';
const preTerminate = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io';

function machine(change: (machine: Machine) => void = () => undefined): Machine {
  const made = machineFixture('m', { deleted: '2026-01-01T00:59:00Z' });
  made.spec.bootstrap = { configRef: { apiGroup: 'b', kind: 'B', name: 'm' } };
  change(made);
  return made;
}
const annotated = (...names: string[]) =>
  machine(({ metadata }) => {
    metadata.annotations = Object.fromEntries(names.map((name) => [name, '']));
  });
const rest = ['deleteInfrastructure', 'deleteBootstrap'];

const rows: { name: string; given: Partial<DeletionInput>; then: string[] }[] = [
  { name: 'everything', given: {}, then: ['drain', 'waitForVolumes', ...rest, 'deleteNode'] },
  { name: 'keeps the Node: no drain, no deletion [14.11]', given: { nodeKept: 'because' }, then: rest },
  {
    name: 'keeps the Node, but waits for pre-terminate hooks',
    given: { nodeKept: 'because', machine: annotated(preDrain, preTerminate) },
    then: ['waitForPreTerminateHooks', ...rest],
  },
  {
    name: 'waits for hooks, with and without a name',
    given: { machine: annotated(preDrain, `${preTerminate}/a`) },
    then: ['waitForPreDrainHooks', 'drain', 'waitForVolumes', 'waitForPreTerminateHooks', ...rest, 'deleteNode'],
  },
  {
    name: 'skips the drain by annotation',
    given: { machine: annotated('machine.cluster.x-k8s.io/exclude-node-draining') },
    then: ['waitForVolumes', ...rest, 'deleteNode'],
  },
  {
    name: 'skips the wait for volumes by annotation',
    given: { machine: annotated('machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach') },
    then: ['drain', ...rest, 'deleteNode'],
  },
  {
    name: 'skips drain and volume wait once the pre-terminate hook has started [14.9]',
    given: {
      machine: machine(({ status }) => {
        if (status) status.deletion = { waitForPreTerminateHookStartTime: '2026-01-01T00:59:30Z' };
      }),
    },
    then: [...rest, 'deleteNode'],
  },
  {
    name: 'stops the drain once the InfraMachine is deleting [14.9]',
    given: { infrastructure: deleting },
    then: [...rest, 'deleteNode'],
  },
  {
    name: 'does not drain once the InfraMachine is deleted',
    given: { infrastructure: undefined },
    then: [...rest, 'deleteNode'],
  },
  {
    name: 'has no bootstrap object',
    given: { machine: machine(({ spec }) => void (spec.bootstrap = { dataSecretName: 's' })) },
    then: ['drain', 'waitForVolumes', 'deleteInfrastructure', 'deleteNode'],
  },
  {
    name: 'stops the drain after nodeDrainTimeoutSeconds [14.10]',
    given: {
      machine: machine(({ spec, status }) => {
        spec.deletion = { nodeDrainTimeoutSeconds: 30 };
        if (status) status.deletion = { nodeDrainStartTime: '2026-01-01T00:59:30Z' };
      }),
    },
    then: ['waitForVolumes', ...rest, 'deleteNode'],
  },
  {
    name: 'drains without limit for nodeDrainTimeoutSeconds 0 [14.10]',
    given: {
      machine: machine(({ spec, status }) => {
        spec.deletion = { nodeDrainTimeoutSeconds: 0, nodeVolumeDetachTimeoutSeconds: 0 };
        const long = '2025-01-01T00:00:00Z';
        if (status) status.deletion = { nodeDrainStartTime: long, waitForNodeVolumeDetachStartTime: long };
      }),
    },
    then: ['drain', 'waitForVolumes', ...rest, 'deleteNode'],
  },
  {
    name: 'stops the wait after nodeVolumeDetachTimeoutSeconds',
    given: {
      machine: machine(({ spec, status }) => {
        spec.deletion = { nodeVolumeDetachTimeoutSeconds: 30 };
        if (status) status.deletion = { waitForNodeVolumeDetachStartTime: '2026-01-01T00:59:29Z' };
      }),
    },
    then: ['drain', ...rest, 'deleteNode'],
  },
];
it.each(rows)('$name', ({ given, then }) => {
  expect(planDeletion({ machine: machine(), infrastructure, nodeKept: undefined, nowMs, ...given })).toEqual(then);
});

describe('times', () => {
  it('counts the Node deletion timeout from deletionTimestamp; 0 retries forever [14.10]', () => {
    const limited = (seconds: number | undefined) =>
      edit(machine(), ({ spec }) => {
        spec.deletion = seconds === undefined ? {} : { nodeDeletionTimeoutSeconds: seconds };
      });
    expect([60, 61, 0, undefined].map((seconds) => isNodeDeletionOver(limited(seconds), nowMs))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('returns the remaining time of a step', () => {
    expect(stepLimitMs('2026-01-01T00:59:30Z', 60, nowMs)).toBe(30_000);
    expect(stepLimitMs('2026-01-01T00:00:00Z', 60, nowMs)).toBe(0);
    expect(stepLimitMs('2026-01-01T00:00:00Z', 0, nowMs)).toBeUndefined();
  });
});

it('lists hooks in order', () => {
  const names = [`${preTerminate}/b`, `${preTerminate}/a`, `${preDrain}/c`, 'other'];
  expect(hooksOf(annotated(...names), 'preTerminate')).toEqual([`${preTerminate}/a`, `${preTerminate}/b`]);
});
