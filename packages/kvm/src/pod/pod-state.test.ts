import type { ContainerState, Pod } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { machineSizeOf } from '../api/index.js';
import { lostReport, podReport } from './pod-state.js';

const size = machineSizeOf({});
type Status = NonNullable<Pod['status']>;

function pod(status: Status & { initContainerStatuses?: object[] }): Pod {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'm', namespace: 'c' }, spec: { containers: [] }, status };
}
const container = (name: string, state: ContainerState, lastState: ContainerState = {}, restartCount = 0) => ({
  name,
  ready: false,
  restartCount,
  image: '',
  imageID: '',
  state,
  lastState,
});
const vmm = (state: ContainerState, lastState?: ContainerState, restartCount?: number): Status => ({
  containerStatuses: [container('vmm', state, lastState, restartCount)],
});
const ended = (exitCode: number, message: string): ContainerState => ({ terminated: { exitCode, message } });

describe('podReport', () => {
  it('reports a running pod with an address as provisioned', () => {
    const report = podReport(
      pod({ ...vmm({ running: { startedAt: '2026-01-01T00:00:00Z' } }), podIP: '10.1.2.3', phase: 'Running' }),
      size,
    );
    expect(report.state).toBe('running');
    expect(report.conditions.map(({ type, status }) => [type, status])).toEqual([
      ['ImageReady', 'True'],
      ['DisksReady', 'True'],
      ['VMProvisioned', 'True'],
      ['VMRunning', 'True'],
    ]);
    expect(report.addresses).toEqual([
      { type: 'InternalIP', address: '10.1.2.3' },
      { type: 'Hostname', address: 'm' },
      { type: 'InternalDNS', address: 'm' },
    ]);
    expect(report.vm).toMatchObject({ pod: 'm', cpus: 2, memoryMiB: 4096, boots: 1 });
  });

  it.each<{ name: string; status: Parameters<typeof pod>[0]; reason: string; expected: string }>([
    {
      name: 'the pod cannot be scheduled',
      status: {
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' }],
      },
      reason: 'PodUnschedulable',
      expected: '0/3 nodes',
    },
    {
      name: 'the image of the machine is being downloaded',
      status: { initContainerStatuses: [container('image-sync', { running: {} })] },
      reason: 'ImageDownloading',
      expected: 'downloaded',
    },
    {
      name: 'the checksum of the image differs',
      status: { initContainerStatuses: [container('image-sync', {}, ended(4, 'ImageChecksumMismatch: is abc'))] },
      reason: 'ImageChecksumMismatch',
      expected: 'is abc',
    },
    {
      name: 'the launcher rejects the specification',
      status: vmm({ waiting: { reason: 'CrashLoopBackOff' } }, ended(4, 'no such machine type'), 3),
      reason: 'InvalidSpec',
      expected: 'no such machine type',
    },
    {
      name: 'the guest panicked',
      status: vmm({ waiting: {} }, ended(3, ''), 1),
      reason: 'GuestPanicked',
      expected: 'console',
    },
    {
      name: 'the launcher restarts repeatedly',
      status: vmm({ waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m' } }, ended(1, 'out of memory'), 2),
      reason: 'CrashLooping',
      expected: 'out of memory',
    },
    {
      name: 'the launcher image cannot be pulled',
      status: vmm({ waiting: { reason: 'ImagePullBackOff', message: 'not found' } }),
      reason: 'StartFailed',
      expected: 'not found',
    },
    { name: 'the pod was just created', status: {}, reason: 'Starting', expected: 'to start' },
  ])('$name: $reason', ({ status, reason, expected }) => {
    const report = podReport(pod(status), size);
    expect(report.state).toBe('pending');
    expect(report.conditions.map((condition) => [condition.type, condition.status, condition.reason])).toEqual([
      ['VMProvisioned', 'False', reason],
      ['VMRunning', 'False', reason],
    ]);
    expect(report.conditions[0]?.message).toContain(expected);
  });

  it('reports a machine without disks as lost, so that its Machine is replaced [kvm 8]', () => {
    const { state, conditions, outcome } = lostReport('gone');
    expect(state).toBe('terminated');
    expect(conditions.map(({ reason }) => reason)).toEqual(['PodLost', 'PodLost']);
    expect(outcome).toMatchObject({ message: expect.stringContaining('replace the Machine') });
  });
});
