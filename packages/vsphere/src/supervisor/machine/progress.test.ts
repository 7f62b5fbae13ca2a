import type { Frozen } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import type { SupervisorMachine, VirtualMachine } from '../../api/index.js';
import { progressOf } from './progress.js';

const condition = (type: string, status: string, reason = 'R', message = '') => ({ type, status, reason, message });
const created = [condition('VirtualMachineCreated', 'True')];
const vmWith = (status: object) => ({ metadata: { name: 'vm' }, status }) as unknown as Frozen<VirtualMachine>;

const rows: { name: string; status: object; reason: string; phase: string; outcome: string }[] = [
  { name: 'the status is empty', status: {}, reason: 'Provisioning', phase: 'Pending', outcome: 'wait' },
  {
    name: 'a prerequisite is missing, in the order of VM Operator',
    status: {
      conditions: [
        condition('VirtualMachineStorageReady', 'False', 'NoQuota', 'full'),
        condition('VirtualMachineClassReady', 'False', 'NotFound', 'no such class'),
      ],
    },
    reason: 'NotFound',
    phase: 'Pending',
    outcome: 'retry',
  },
  {
    name: 'the VM is powered off',
    status: { conditions: created },
    reason: 'PoweringOn',
    phase: 'Created',
    outcome: 'wait',
  },
  {
    name: 'the VM has no address',
    status: { conditions: created, powerState: 'PoweredOn' },
    reason: 'WaitingForNetworkAddress',
    phase: 'PoweredOn',
    outcome: 'wait',
  },
  {
    name: 'the VM has no BIOS UUID',
    status: { conditions: created, powerState: 'PoweredOn', network: { primaryIP6: 'fd00::1' } },
    reason: 'WaitingForBIOSUUID',
    phase: 'PoweredOn',
    outcome: 'wait',
  },
];

describe('progressOf', () => {
  it.each(rows)('waits while $name', ({ status, reason, phase, outcome }) => {
    const progress = progressOf(vmWith(status));
    if (progress.type !== 'waiting') throw new Error('does not wait');
    const draft = {} as SupervisorMachine;
    progress.apply?.(draft as never);
    expect({ reason: progress.condition.reason, phase: draft.status?.phase, outcome: progress.outcome.type }).toEqual({
      reason,
      phase,
      outcome,
    });
  });

  it.each([
    ['nodeName', { nodeName: 'esx-1' }],
    ['host, as in v1alpha2', { host: 'esx-1' }],
  ])('is ready with one address, its zone and its %s', (_name, where) => {
    const network = { primaryIP4: '192.0.2.1', primaryIP6: 'fd00::1', interfaces: [{ name: 'eth0', deviceKey: 4000 }] };
    const status = { conditions: created, powerState: 'PoweredOn', biosUUID: 'b', zone: 'z', network, ...where };
    const progress = progressOf(vmWith(status));
    expect(progress).toMatchObject({
      type: 'ready',
      biosUuid: 'b',
      host: 'esx-1',
      addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
    });
    const draft = {} as SupervisorMachine;
    progress.apply?.(draft as never);
    expect(draft.status).toEqual({
      phase: 'Ready',
      biosUUID: 'b',
      failureDomain: 'z',
      network: { interfaces: network.interfaces },
    });
  });
});
