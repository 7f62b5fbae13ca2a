import { deepFreeze } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import type { Machine, MachineSet } from '../api/index.js';
import { machineFixture, type MachineOptions, machineSetFixture } from '../testing/machine-objects.js';
import { countingRandom } from '../testing/rollout-simulation.js';
import { deletionPriority, type DeletionOrder, planReplicas, type ReplicaInput, type ReplicaPlan } from './index.js';

const nowMs = Date.UTC(2026, 0, 1);
const deleted = '2025-12-31T00:00:00Z';

function plan(machineSet: MachineSet, machines: Machine[], more: Partial<ReplicaInput> = {}): ReplicaPlan {
  const input = { machineSet, machines, missing: {}, preflightFailures: [], nowMs, random: countingRandom(), ...more };
  return planReplicas(deepFreeze(input));
}

describe('planReplicas', () => {
  it('creates missing machines with unique names', () => {
    const { steps } = plan(machineSetFixture(3), [machineFixture('ms-bbbbc')]);
    expect(steps).toEqual([
      { verb: 'create', name: 'ms-bbbbd', reason: 'ScalingUp', message: '1 of 3 machines exist' },
      { verb: 'create', name: 'ms-bbbbf', reason: 'ScalingUp', message: '1 of 3 machines exist' },
    ]);
  });

  it('counts deleting machines as replicas, which blocks scale-up until they are gone [14.50]', () => {
    expect(plan(machineSetFixture(1), [machineFixture('a', { deleted })]).steps).toEqual([]);
  });

  const blocks = [
    {
      name: 'the disable-machine-create annotation of OnDelete',
      set: machineSetFixture(1, ({ metadata }) => {
        metadata.annotations = { 'cluster.x-k8s.io/disable-machine-create': 'true' };
      }),
      more: {},
      then: { reason: 'MachineCreationDisabled' },
    },
    {
      name: 'missing templates',
      set: machineSetFixture(1),
      more: { missing: { bootstrap: 'KubeadmConfigTemplate', infrastructure: 'DevMachineTemplate' } },
      then: { reason: 'TemplatesMissing', messages: ['KubeadmConfigTemplate and DevMachineTemplate do not exist'] },
    },
    {
      name: 'preflight checks',
      set: machineSetFixture(1),
      more: { preflightFailures: ['not yet'] },
      then: { reason: 'PreflightChecksFailed', messages: ['not yet'] },
    },
  ];
  it.each(blocks)('creates nothing because of $name', ({ set, more, then }) => {
    const { steps, blocked, requeueAfterMs } = plan(set, [], more);
    expect(steps).toEqual([]);
    expect(blocked).toMatchObject(then);
    expect(requeueAfterMs).toBe(then.reason === 'PreflightChecksFailed' ? 15_000 : undefined);
  });

  it('plans nothing for a deleting set, which deletes all machines', () => {
    const set = machineSetFixture(1, ({ metadata }) => {
      metadata.deletionTimestamp = deleted;
    });
    expect(plan(set, []).steps).toEqual([]);
  });

  it('orders "Random" deletions deterministically by name, after delete priorities (100/80/75/50/…) [14.12]', () => {
    const machines = [
      machineFixture('e'),
      machineFixture('d'),
      machineFixture('unhealthy', { conditions: { HealthCheckSucceeded: 'False' } }),
      machineFixture('updating', {
        annotations: { 'in-place-updates.internal.cluster.x-k8s.io/update-in-progress': '' },
      }),
      machineFixture('marked', { annotations: { 'cluster.x-k8s.io/delete-machine': '' } }),
      machineFixture('gone', { deleted }),
    ];
    const names = [6, 5, 4, 3, 2, 1].map((count) => {
      const { steps } = plan(machineSetFixture(6 - count), machines);
      return steps.map(({ name }) => name);
    });
    expect(names).toEqual([
      ['marked', 'updating', 'unhealthy', 'd', 'e'],
      ['marked', 'updating', 'unhealthy', 'd'],
      ['marked', 'updating', 'unhealthy'],
      ['marked', 'updating'],
      ['marked'],
      [],
    ]);
  });

  const orders: { order: DeletionOrder; then: string }[] = [
    { order: 'Oldest', then: 'c-old' },
    { order: 'Newest', then: 'b-new' },
    { order: 'Random', then: 'a-middle' },
  ];
  it.each(orders)('deletes $order first', ({ order, then }) => {
    const machines = [
      machineFixture('a-middle', { created: '2025-12-20T00:00:00Z' }),
      machineFixture('b-new', { created: '2025-12-31T00:00:00Z' }),
      machineFixture('c-old', { created: '2025-12-01T00:00:00Z' }),
    ];
    const set = machineSetFixture(2, ({ spec }) => {
      spec.deletion = { order };
    });
    expect(plan(set, machines).steps).toMatchObject([{ verb: 'delete', name: then, cause: order }]);
  });
});

describe('deletionPriority', () => {
  const rows: { name: string; options: MachineOptions; order: DeletionOrder; value: number }[] = [
    { name: 'no Node yet [14.12]', options: { node: null }, order: 'Newest', value: 50 },
    { name: 'unhealthy Node [14.12]', options: { conditions: { NodeHealthy: 'False' } }, order: 'Oldest', value: 50 },
    { name: 'ten days old, oldest', options: { created: '2025-12-22T00:00:00Z' }, order: 'Oldest', value: 31.606 },
    { name: 'ten days old, newest', options: { created: '2025-12-22T00:00:00Z' }, order: 'Newest', value: 18.394 },
    { name: 'from the future', options: { created: '2027-01-01T00:00:00Z' }, order: 'Oldest', value: 0 },
    { name: 'random', options: {}, order: 'Random', value: 20 },
  ];
  it.each(rows)('$name', ({ options, order, value }) => {
    expect(deletionPriority(machineFixture('a', options), order, nowMs).value).toBeCloseTo(value, 3);
  });
});
