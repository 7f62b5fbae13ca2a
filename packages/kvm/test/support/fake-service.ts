import { done, type ReconcileContext, wait } from '@slipway/runtime';
import type { VirtualMachineService, VmLeaving, VmReport, WantedMachine } from '../../src/index.js';

/** Machines that only pretend. What a test wants of them it sets; what was asked of them it finds. */
export class FakeService implements VirtualMachineService {
  readonly backend = 'local';
  readonly hostName = 'here';
  readonly machines = new Map<string, WantedMachine>();
  readonly removed: string[] = [];
  /** What is told of machines, instead of that they run. */
  report: Partial<VmReport> = {};
  isStubborn = false;

  ensure(wanted: WantedMachine, _context: ReconcileContext): Promise<VmReport> {
    this.machines.set(wanted.uuid, wanted);
    const holds = (type: string) => ({ type, status: 'True' as const, reason: 'Ready', message: '' });
    return Promise.resolve({
      state: 'running',
      conditions: ['ImageReady', 'DisksReady', 'VMProvisioned', 'VMRunning'].map(holds),
      addresses: [{ type: 'InternalIP', address: '172.30.0.10' }],
      vm: { apiServer: { host: '127.0.0.1', port: 40_001 } },
      outcome: done(),
      ...this.report,
    });
  }

  remove({ uuid }: { readonly uuid: string }): Promise<VmLeaving | undefined> {
    if (this.isStubborn)
      return Promise.resolve({
        state: 'shutting-down',
        condition: { reason: 'ShuttingDown', message: 'the guest was asked to go down' },
        outcome: wait({ ms: 100, reason: 'ShuttingDown', message: '' }),
      });
    this.machines.delete(uuid);
    this.removed.push(uuid);
    return Promise.resolve(undefined);
  }
}
