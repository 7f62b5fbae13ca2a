import { describe, expect, it } from 'vitest';
import type { KVMMachine } from '../api/index.js';
import { machineMetrics } from './machine-metrics.js';

const machine = (name: string, status: KVMMachine['status']): KVMMachine => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'KVMMachine',
  metadata: { namespace: 'default', name },
  status,
});

const attached = {
  type: 'LoadBalancerAttached',
  status: 'True' as const,
  reason: 'Attached',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const machines = [
  machine('first', {
    machineState: 'running',
    vm: { boots: 3, memoryMiB: 256, pid: process.pid, host: 'here' },
    conditions: [attached],
  }),
  machine('second', { machineState: 'running', vm: { boots: 1, pid: process.pid, host: 'elsewhere' } }),
  machine('third', undefined),
];

const samples = (name: string) =>
  [
    ...(machineMetrics(() => machines, 'here')
      .find((metric) => metric.name === name)
      ?.sample() ?? []),
  ].map(({ labels, value }) => [labels['state'] ?? labels['name'], value]);

describe('the metrics of machines', () => {
  it.each([
    {
      name: 'capk_machine_state',
      is: [
        ['pending', 1],
        ['running', 2],
        ['shutting-down', 0],
        ['terminated', 0],
        ['failed', 0],
      ],
    },
    {
      name: 'capk_vm_restarts_total',
      is: [
        ['first', 2],
        ['second', 0],
      ],
    },
    { name: 'capk_vm_memory_bytes', is: [['first', 268_435_456]] },
    { name: 'capk_lb_backend_up', is: [['first', 1]] },
  ])('$name', ({ name, is }) => {
    expect(samples(name)).toEqual(is);
  });

  it.runIf(process.platform === 'linux')(
    'reads capk_vm_cpu_seconds_total from the process, on the host of the machine',
    () => {
      const [first, ...others] = samples('capk_vm_cpu_seconds_total');
      expect(first?.[0]).toBe('first');
      expect(first?.[1]).toBeGreaterThan(0);
      expect(others).toEqual([]);
    },
  );
});
