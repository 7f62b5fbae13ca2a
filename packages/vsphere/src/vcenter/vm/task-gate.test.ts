import { formatTime } from '@slipway/kube';
import { type Conditioned, getCondition, type ReconcileContext } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { VimFault, type VimSession } from '../../vim25/index.js';
import { passTaskGate } from './task-gate.js';
import { VmReport } from './vm-report.js';
import type { ObservedVm } from './vm-spec.js';
import { findVm } from './vm-state.js';

const nowMs = 1_700_000_000_000;

/** A session that returns the same result for every property read. */
function sessionThat(answer: () => object): VimSession {
  const soap = {
    authenticated: (run: () => unknown) => run(),
    content: async () => ({ propertyCollector: { type: 'PropertyCollector', value: 'p' } }),
    call: async () => ({ objects: [{ obj: { type: 'Task', value: 'task-1' }, propSet: entriesOf(answer()) }] }),
  };
  return { soap } as unknown as VimSession;
}

const entriesOf = (values: object): object[] => Object.entries(values).map(([name, val]) => ({ name, val }));

function reportOf(status: object, deletionTimestamp?: string): VmReport {
  const vm = {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'VSphereVM',
    metadata: { name: 'm', namespace: 'n', uid: 'u', ...(deletionTimestamp !== undefined && { deletionTimestamp }) },
    spec: { template: 't', network: { devices: [] } },
    status: { taskRef: 'task-1', ...status },
  };
  const context = { clock: { now: () => nowMs } };
  return new VmReport(vm as unknown as ObservedVm, context as unknown as ReconcileContext);
}

const failed =
  (fault: object, descriptionId = 'VirtualMachine.powerOff') =>
  () => ({
    info: { state: 'error', descriptionId, error: { fault, localizedMessage: 'it broke' } },
  });

describe('the task of the last reconcile', () => {
  it('does not block the VM if vCenter no longer has it [vsphere 1]', async () => {
    const report = reportOf({});
    const session = sessionThat(() => {
      throw new VimFault('ManagedObjectNotFound', 'gone', {}, 'reading info of Task:task-1');
    });
    expect(await passTaskGate(report, session, nowMs, {})).toBe('open');
    expect(report.vm.status?.taskRef).toBeUndefined();
  });

  it('succeeded if it failed because the VM is in the requested power state [vsphere 3]', async () => {
    const report = reportOf({});
    const fault = { _type: 'InvalidPowerState', requestedState: 'poweredOff', existingState: 'poweredOff' };
    expect(await passTaskGate(report, sessionThat(failed(fault)), nowMs, {})).toBe('open');
    expect(report.vm.status?.taskRef).toBeUndefined();
  });

  it('failed if the VM is in another power state [vsphere 3]', async () => {
    const report = reportOf({});
    const fault = { _type: 'InvalidPowerState', requestedState: 'poweredOff', existingState: 'suspended' };
    expect(await passTaskGate(report, sessionThat(failed(fault)), nowMs, {})).toMatchObject({ ms: 60_000 });
    expect(report.vm.status?.taskRef).toBe('task-1');
  });

  it('is cleared one minute after it failed, and the next reconcile is requeued [vsphere 61]', async () => {
    const report = reportOf({ retryAfter: formatTime(nowMs - 1_000) });
    const outcome = await passTaskGate(report, sessionThat(failed({ _type: 'GenericVmConfigFault' })), nowMs, {});
    expect(outcome).toMatchObject({ type: 'wait', ms: 0 });
    expect([report.vm.status?.taskRef, report.vm.status?.retryAfter]).toEqual([undefined, undefined]);
  });

  it.each([
    { operation: 'VirtualMachine.destroy', deleting: formatTime(nowMs), then: 'destroyed' },
    { operation: 'VirtualMachine.powerOff', deleting: formatTime(nowMs), then: 'open' },
    // The task is not from a deletion by this controller, because the VM is not being deleted: search for the VM.
    { operation: 'VirtualMachine.destroy', then: 'open' },
  ])('that succeeded is handled by its operation: $operation, $then', async ({ operation, deleting, then }) => {
    const session = sessionThat(() => ({ info: { state: 'success', descriptionId: operation } }));
    expect(await passTaskGate(reportOf({}, deleting), session, nowMs, {})).toBe(then);
  });

  const running = (queuedMs: number) =>
    sessionThat(() => ({
      info: { state: 'running', descriptionId: 'VirtualMachine.clone', queueTime: formatTime(queuedMs) },
    }));

  it.each([
    { name: 'is awaited', queuedMs: nowMs - 60_000, reason: undefined },
    { name: 'that does not end is reported and not cancelled', queuedMs: nowMs - 2_400_000, reason: 'NotProvisioned' },
    {
      name: 'that does not end is reported during deletion',
      queuedMs: nowMs - 2_400_000,
      deleting: formatTime(nowMs),
      reason: 'Deleting',
    },
  ])('$name', async ({ queuedMs, deleting, reason }) => {
    const report = reportOf({}, deleting);
    const outcome = await passTaskGate(report, running(queuedMs), nowMs, {});
    expect(outcome).toMatchObject({ type: 'wait', ms: 1_800_000 - (reason === undefined ? 60_000 : 0) });
    expect(report.vm.status?.taskRef).toBe('task-1');
    const condition = getCondition(report.vm as Conditioned, 'VirtualMachineProvisioned');
    expect(condition?.reason).toBe(reason);
    expect(condition?.message ?? 'for 40 minutes').toContain('for 40 minutes');
  });

  it('is awaited until retryAfter during deletion as well, without errors [vsphere 62]', async () => {
    const report = reportOf({ retryAfter: formatTime(nowMs + 20_000) }, formatTime(nowMs));
    const outcome = await passTaskGate(report, sessionThat(failed({ _type: 'GenericVmConfigFault' })), nowMs, {});
    expect(outcome).toMatchObject({ type: 'wait', ms: 20_000 });
  });
});

describe('findVm', () => {
  it('finds a VM that was moved to another datacenter [vsphere 64]', async () => {
    const { vm } = reportOf({ vmRef: 'VirtualMachine:vm-7' });
    const known = { ...vm, spec: { ...vm.spec, biosUUID: '4230A650-0000-0000-0000-000000000001' } };
    const session = sessionThat(() => ({ 'config.uuid': '4230a650-0000-0000-0000-000000000001' }));
    // A search in the original datacenter no longer finds the VM.
    const finder = { byUuid: async () => undefined };
    const found = await findVm({ vm: known, session, finder, options: {} });
    expect(found?.ref).toEqual({ type: 'VirtualMachine', value: 'vm-7' });
  });

  it('rejects another VM that has the old managed object ID [vsphere 64]', async () => {
    const { vm } = reportOf({ vmRef: 'VirtualMachine:vm-7' });
    const known = { ...vm, spec: { ...vm.spec, biosUUID: '4230a650-0000-0000-0000-000000000001' } };
    const session = sessionThat(() => ({ 'config.uuid': '4230a650-0000-0000-0000-000000000002' }));
    const finder = { byUuid: async () => undefined };
    expect(await findVm({ vm: known, session, finder, options: {} })).toBeUndefined();
  });
});
