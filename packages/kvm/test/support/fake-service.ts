import { done, keyOf, type ReconcileContext, wait } from '@slipway/runtime';
import {
  kvmMachines,
  type VirtualMachineService,
  type VmRemoval,
  type VmReport,
  type DesiredMachine,
} from '../../src/index.js';

/** Simulated virtual machines. Tests set their state and read which machines were started. */
export class FakeService implements VirtualMachineService {
  readonly backend = 'local';
  readonly hostName = 'here';
  readonly machines = new Map<string, DesiredMachine>();
  readonly removed: string[] = [];
  /** Fields that override the reported state of machines, which is running by default. */
  report: Partial<VmReport> = {};
  isStubborn = false;

  async ensure(desired: DesiredMachine, context: ReconcileContext): Promise<VmReport> {
    const { uuid, kvmMachine } = desired;
    const run = async () => void this.machines.set(uuid, desired);
    if (this.machines.has(uuid)) await run();
    else {
      const cause = { action: 'start', reason: 'Starting', message: `Starting virtual machine ${uuid}` };
      await context.change({ verb: 'call', resource: kvmMachines, key: keyOf(kvmMachine), ...cause, run });
    }
    const holds = (type: string) => ({ type, status: 'True' as const, reason: 'Ready', message: '' });
    return {
      state: 'running',
      conditions: ['ImageReady', 'DisksReady', 'VMProvisioned', 'VMRunning'].map(holds),
      addresses: [{ type: 'InternalIP', address: '172.30.0.10' }],
      vm: { apiServer: { host: '127.0.0.1', port: 40_001 } },
      outcome: done(),
      ...this.report,
    };
  }

  remove({ uuid }: { readonly uuid: string }): Promise<VmRemoval | undefined> {
    if (this.isStubborn)
      return Promise.resolve({
        state: 'shutting-down',
        condition: { reason: 'ShuttingDown', message: 'requested the guest to shut down' },
        outcome: wait({ ms: 100, reason: 'ShuttingDown', message: '' }),
      });
    this.machines.delete(uuid);
    this.removed.push(uuid);
    return Promise.resolve(undefined);
  }
}
