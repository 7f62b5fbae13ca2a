import { textAt } from '@slipway/cluster-api';
import type { Observed } from '@slipway/insight';
import { toneOf } from '../cluster/tones.js';
import type { VCenterView } from '../model/infrastructure.js';

/** The vCenters that clusters name, and what each is at work on for them. */
export function vcentersOf(clusters: readonly Observed[], machines: readonly Observed[]): Record<string, VCenterView> {
  const found = new Map<
    string,
    { clusters: number; machines: number; tasks: VCenterView['tasks'][number][]; troubled: number }
  >();
  const at = (object: Observed): ReturnType<typeof found.get> => {
    const server = textAt(object, 'spec', 'server') ?? '';
    if (server === '') return undefined;
    const made = found.get(server) ?? { clusters: 0, machines: 0, tasks: [], troubled: 0 };
    found.set(server, made);
    return made;
  };
  for (const cluster of clusters) {
    const center = at(cluster);
    if (center === undefined) continue;
    center.clusters += 1;
    if (toneOf(cluster) === 'bad') center.troubled += 1;
  }
  for (const machine of machines) {
    const center = at(machine);
    if (center === undefined) continue;
    center.machines += 1;
    if (toneOf(machine) === 'bad') center.troubled += 1;
    const task = textAt(machine, 'status', 'taskRef') ?? '';
    if (task !== '') center.tasks.push({ machine: machine.metadata.name ?? '', task });
  }
  return Object.fromEntries([...found].map(([server, center]) => [server, { server, ...center }]));
}
