import { readFileSync } from 'node:fs';
import type { Frozen } from '@slipway/kube';
import { getCondition, type Sample, type SampledMetric } from '@slipway/runtime';
import { type KVMMachine, kvmConditions } from '../api/index.js';

type Machine = Frozen<KVMMachine>;

const mebibyte = 1024 ** 2;
const states = ['pending', 'running', 'shutting-down', 'terminated', 'failed'] as const;
const own = ['namespace', 'name'];

/** Returns the metrics of KVMMachines, computed from the cache. */
export function machineMetrics(machines: () => readonly Machine[], hostName: string | undefined): SampledMetric[] {
  const ofEach = (valueOf: (machine: Machine) => number | undefined) => (): Sample[] =>
    machines().flatMap((machine) => {
      const value = valueOf(machine);
      const { namespace = '', name = '' } = machine.metadata;
      return value === undefined ? [] : [{ labels: { namespace, name }, value }];
    });
  const isHere = ({ status }: Machine): boolean => status?.vm?.host !== undefined && status.vm.host === hostName;
  return [
    {
      name: 'capk_machine_state',
      help: 'Number of KVMMachines by state',
      type: 'gauge',
      labelNames: ['state'],
      sample: () => {
        const all = machines();
        return states.map((state) => ({
          labels: { state },
          value: all.filter(({ status }) => (status?.machineState ?? 'pending') === state).length,
        }));
      },
    },
    {
      name: 'capk_vm_restarts_total',
      help: 'Number of times that the virtual machine was powered on or reset after its first boot',
      type: 'counter',
      labelNames: own,
      sample: ofEach(({ status }) => status?.vm?.boots && status.vm.boots - 1),
    },
    {
      name: 'capk_vm_memory_bytes',
      help: 'Memory of the guest in bytes',
      type: 'gauge',
      labelNames: own,
      sample: ofEach(({ status }) => status?.vm?.memoryMiB && status.vm.memoryMiB * mebibyte),
    },
    {
      name: 'capk_vm_cpu_seconds_total',
      help: 'CPU time of the QEMU process, for virtual machines of this host',
      type: 'counter',
      labelNames: own,
      sample: ofEach((machine) => (isHere(machine) ? cpuSecondsOf(machine.status?.vm?.pid) : undefined)),
    },
    {
      name: 'capk_lb_backend_up',
      help: '1 if the control plane endpoint routes to this machine',
      type: 'gauge',
      labelNames: own,
      sample: ofEach((machine) => {
        const attached = getCondition(machine, kvmConditions.loadBalancerAttached);
        return attached && (attached.status === 'True' ? 1 : 0);
      }),
    },
  ];
}

/** Clock ticks per second in /proc/<pid>/stat. */
const ticksPerSecond = 100;

function cpuSecondsOf(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user = '', system = ''] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) / ticksPerSecond;
  } catch {
    // The process has exited.
    return undefined;
  }
}
