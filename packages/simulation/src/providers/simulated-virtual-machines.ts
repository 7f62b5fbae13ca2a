import type { Guests } from '@slipway/dev';
import {
  kvmMachines,
  type VirtualMachineService,
  type VmRemoval,
  type VmReport,
  type DesiredMachine,
} from '@slipway/kvm';
import { confirmWanted, done, keyOf, type ReconcileContext, wait } from '@slipway/runtime';
import type { Infrastructure } from './infrastructure.js';

const bootMs = 20_000;
const shutdownMs = 5_000;

type RemovedMachine = Parameters<VirtualMachineService['remove']>[0];
type KVMClusterObject = Parameters<NonNullable<VirtualMachineService['removeCluster']>>[0];

/**
 * Simulates a host that runs virtual machines as processes. They are stored in the infrastructure, so that they outlive the
 * management plane and are found again after a restart.
 */
export class SimulatedVirtualMachines implements VirtualMachineService {
  readonly backend = 'local';
  readonly hostName = 'simulated-host';

  constructor(
    private readonly infrastructure: Infrastructure,
    private readonly guests: Guests,
  ) {}

  async ensure(desired: DesiredMachine, context: ReconcileContext): Promise<VmReport> {
    const { uuid, kvmMachine, machine, cluster, wasProvisioned } = desired;
    const { name = '', namespace = '' } = kvmMachine.metadata;
    const workload = this.infrastructure.get({ namespace, name: cluster.metadata.name ?? '' });
    const exists = workload?.machines.includes(name) === true;
    if (wasProvisioned && (!exists || workload?.hasFailed(name) === true)) return lost();
    if (!exists) {
      await desired.readBootstrapData();
      await confirmWanted(context, kvmMachines, kvmMachine);
    }
    const dueMs = this.infrastructure.sinceMs(`boot ${uuid}`) + bootMs - context.clock.monotonic();
    if (!exists && dueMs > 0) return booting(dueMs);
    const address = addressOf(kvmMachine);
    const booted = { machine, cluster, name, uid: uuid, address, providerId: `kvm://${uuid}` };
    const boot = (): Promise<void> => this.guests.boot(booted, context);
    // Booting a running guest only refreshes it, which is not a change to record.
    if (exists) await boot();
    else
      await context.change({
        ...callFor(kvmMachine),
        action: 'start VM',
        reason: 'Starting',
        message: `Starting virtual machine ${uuid}`,
        run: boot,
      });
    return running(address);
  }

  async remove({ uuid, kvmMachine }: RemovedMachine, context: ReconcileContext): Promise<VmRemoval | undefined> {
    const { name = '', namespace = '', labels = {} } = kvmMachine.metadata;
    const cluster = { namespace, name: labels['cluster.x-k8s.io/cluster-name'] ?? '' };
    const dueMs = this.infrastructure.sinceMs(`shutdown ${uuid}`) + shutdownMs - context.clock.monotonic();
    if (this.infrastructure.get(cluster)?.machines.includes(name) !== true) return undefined;
    if (dueMs > 0) return shuttingDown(dueMs);
    await context.change({
      ...callFor(kvmMachine),
      action: 'destroy VM',
      reason: 'Deleting',
      message: `Switching off virtual machine ${uuid}`,
      run: () => this.guests.shutDown(cluster, name),
    });
    return undefined;
  }

  async removeCluster({ metadata }: KVMClusterObject): Promise<undefined> {
    await this.guests.release({ namespace: metadata.namespace ?? '', name: metadata.name ?? '' });
    return undefined;
  }
}

function callFor(kvmMachine: DesiredMachine['kvmMachine']) {
  return { verb: 'call', resource: kvmMachines, key: keyOf(kvmMachine) } as const;
}

function addressOf({ spec }: DesiredMachine['kvmMachine']): string {
  return spec?.network?.ipAddresses?.[0]?.split('/')[0] ?? '';
}

function booting(dueMs: number): VmReport {
  const cause = { reason: 'Booting', message: 'Waiting for the virtual machine to boot' };
  return {
    state: 'pending',
    conditions: [{ type: 'VMProvisioned', status: 'False', ...cause }],
    addresses: [],
    outcome: wait({ ms: dueMs, ...cause }),
  };
}

function running(address: string): VmReport {
  const holds = (type: string) => ({ type, status: 'True' as const, reason: 'Ready', message: '' });
  return {
    state: 'running',
    conditions: ['ImageReady', 'DisksReady', 'VMProvisioned', 'VMRunning'].map(holds),
    addresses: [{ type: 'InternalIP', address }],
    outcome: done(),
  };
}

function lost(): VmReport {
  const cause = { reason: 'Lost', message: 'the virtual machine no longer exists and is not created again' };
  return {
    state: 'failed',
    conditions: [{ type: 'VMRunning', status: 'False', ...cause }],
    addresses: [],
    outcome: wait(cause),
  };
}

function shuttingDown(dueMs: number): VmRemoval {
  const condition = { reason: 'ShuttingDown', message: 'Waiting for the guest to shut down' };
  return { state: 'shutting-down', condition, outcome: wait({ ms: dueMs, ...condition }) };
}
