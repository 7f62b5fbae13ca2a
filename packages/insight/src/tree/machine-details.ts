import { numberAt, textAt } from '@slipway/cluster-api';
import type { Observed } from '../objects/index.js';

/** Returns the properties of a virtual machine, from `status.vm` of its infrastructure object. */
export function machineDetails(infrastructure: Observed | undefined): readonly string[] {
  if (infrastructure === undefined) return [];
  const amount = (name: string, one: string, many: string): string[] => {
    const count = numberAt(infrastructure, 'status', 'vm', name);
    return count === undefined ? [] : [`${count} ${count === 1 ? one : many}`];
  };
  const accelerator = textAt(infrastructure, 'status', 'vm', 'accelerator');
  return [
    ...amount('cpus', 'CPU', 'CPUs'),
    ...amount('memoryMiB', 'MiB', 'MiB'),
    ...(accelerator === undefined ? [] : [accelerator]),
    ...amount('boots', 'boot', 'boots'),
  ];
}
