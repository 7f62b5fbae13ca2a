import { systemClock } from '@slipway/base';
import { ChangeExecutor, type Client, FencedError } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { applyStep, type DueStep } from './apply-step.js';
import type { VmScope } from './vm-scope.js';
import type { VmState } from './vm-state.js';

const machine = { type: 'VirtualMachine', value: 'vm-1' };
const cluster = { type: 'ClusterComputeResource', value: 'domain-c1' };

/** Returns the scope of a process that lost its lease, and the calls that its vCenter received. */
function deposed(): { readonly scope: VmScope; readonly calls: string[] } {
  const calls: string[] = [];
  const note = async (what: string): Promise<never> => {
    calls.push(what);
    throw new Error(what);
  };
  const session = { soap: { call: note }, rest: { call: note, request: note } };
  const check = (): never => {
    throw new FencedError('another process leads');
  };
  const fence = { check, signal: undefined };
  const context = new ChangeExecutor({ client: {} as Client, clock: systemClock, controller: 'test', fence });
  const report = { vm: { metadata: { namespace: 'n', name: 'm' } }, provisioned: () => undefined };
  return { scope: { context, report, session, options: {} } as unknown as VmScope, calls };
}

describe('a process that lost its lease', () => {
  const steps: DueStep[] = [
    { type: 'upgradeHardware', version: 'vmx-19' },
    { type: 'setMetadata', text: 'x' },
    { type: 'joinGroup', group: { cluster, name: 'g', members: [] } },
    { type: 'joinModule', id: 'm' },
    { type: 'powerOn' },
  ];
  it.each(steps)('does not call vCenter for the step $type', async (step) => {
    const { scope, calls } = deposed();
    await expect(applyStep(scope, { ref: machine } as unknown as VmState, step)).rejects.toThrow(FencedError);
    expect(calls).toEqual([]);
  });
});
