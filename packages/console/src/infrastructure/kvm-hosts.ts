import { numberAt, textAt } from '@slipway/cluster-api';
import type { Observed } from '@slipway/insight';
import { toneOf } from '../cluster/tones.js';
import type { KvmHostView } from '../model/infrastructure.js';

/** Returns the hosts of virtual machines with their allocated resources, from the status of the machines. */
export function kvmHostsOf(machines: readonly Observed[]): Record<string, KvmHostView> {
  const hosts = new Map<string, KvmHostView>();
  for (const machine of machines) {
    const host = textAt(machine, 'status', 'vm', 'host') ?? '';
    // The machine is not scheduled yet.
    if (host === '') continue;
    const totals = hosts.get(host) ?? { host, machines: 0, running: 0, unhealthy: 0, cpus: 0, memoryMiB: 0, qemu: [] };
    const isRunning = textAt(machine, 'status', 'machineState') === 'running';
    const qemu = textAt(machine, 'status', 'vm', 'qemuVersion') ?? '';
    hosts.set(host, {
      host,
      machines: totals.machines + 1,
      running: totals.running + (isRunning ? 1 : 0),
      unhealthy: totals.unhealthy + (toneOf(machine) === 'bad' ? 1 : 0),
      cpus: totals.cpus + (numberAt(machine, 'status', 'vm', 'cpus') ?? 0),
      memoryMiB: totals.memoryMiB + (numberAt(machine, 'status', 'vm', 'memoryMiB') ?? 0),
      qemu: qemu === '' || totals.qemu.includes(qemu) ? totals.qemu : [...totals.qemu, qemu].toSorted(),
    });
  }
  return Object.fromEntries([...hosts].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
