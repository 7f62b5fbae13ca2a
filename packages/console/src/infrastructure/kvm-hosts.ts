import { numberAt, textAt } from '@slipway/cluster-api';
import type { Observed } from '@slipway/insight';
import { toneOf } from '../cluster/tones.js';
import type { KvmHostView } from '../model/infrastructure.js';

/** The hosts that virtual machines run on, as those say it, and what each has given away. */
export function kvmHostsOf(machines: readonly Observed[]): Record<string, KvmHostView> {
  const hosts = new Map<string, KvmHostView>();
  for (const machine of machines) {
    const host = textAt(machine, 'status', 'vm', 'host') ?? '';
    // Not placed yet.
    if (host === '') continue;
    const known = hosts.get(host) ?? { host, machines: 0, running: 0, troubled: 0, cpus: 0, memoryMiB: 0, qemu: [] };
    const isRunning = textAt(machine, 'status', 'machineState') === 'running';
    const qemu = textAt(machine, 'status', 'vm', 'qemuVersion') ?? '';
    hosts.set(host, {
      host,
      machines: known.machines + 1,
      running: known.running + (isRunning ? 1 : 0),
      troubled: known.troubled + (toneOf(machine) === 'bad' ? 1 : 0),
      cpus: known.cpus + (numberAt(machine, 'status', 'vm', 'cpus') ?? 0),
      memoryMiB: known.memoryMiB + (numberAt(machine, 'status', 'vm', 'memoryMiB') ?? 0),
      qemu: qemu === '' || known.qemu.includes(qemu) ? known.qemu : [...known.qemu, qemu].toSorted(),
    });
  }
  return Object.fromEntries([...hosts].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
