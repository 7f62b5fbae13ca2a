import { FencedError } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { applyStep, type DueStep } from './apply-step.js';
import type { VmPass } from './vm-pass.js';
import type { VmState } from './vm-state.js';

const machine = { type: 'VirtualMachine', value: 'vm-1' };
const cluster = { type: 'ClusterComputeResource', value: 'domain-c1' };

/** A pass of a process that has lost its lease, and a vCenter that notes what it is asked for. */
function deposed(): { readonly pass: VmPass; readonly asked: string[] } {
  const asked: string[] = [];
  const note = async (what: string): Promise<never> => {
    asked.push(what);
    throw new Error(what);
  };
  const session = { soap: { call: note }, rest: { call: note, request: note } };
  const check = (): never => {
    throw new FencedError('another process leads');
  };
  return { pass: { context: { check }, session, options: {} } as unknown as VmPass, asked };
}

describe('a process that may not act any more', () => {
  const steps: DueStep[] = [
    { type: 'upgradeHardware', version: 'vmx-19' },
    { type: 'setMetadata', text: 'x' },
    { type: 'joinGroup', group: { cluster, name: 'g', members: [] } },
    { type: 'joinModule', id: 'm' },
    { type: 'powerOn' },
  ];
  it.each(steps)('does not ask vCenter to $type', async (step) => {
    const { pass, asked } = deposed();
    await expect(applyStep(pass, { ref: machine } as unknown as VmState, step)).rejects.toThrow(FencedError);
    expect(asked).toEqual([]);
  });
});
