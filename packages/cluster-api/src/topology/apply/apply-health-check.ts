import type { Frozen, KubeObject } from '@slipway/kube';
import type { MachineHealthCheck } from '../../api/index.js';
import { keyText, type TopologyWriter } from './topology-writer.js';

/** Creates, updates or deletes a health check: whatever makes it as it should be. */
export async function applyHealthCheck(
  writer: TopologyWriter,
  current: Frozen<MachineHealthCheck> | undefined,
  desired: MachineHealthCheck | undefined,
): Promise<void> {
  const [before, after] = [current as Frozen<KubeObject> | undefined, desired as KubeObject | undefined];
  if (after === undefined) {
    if (before === undefined || typeof before.metadata.deletionTimestamp === 'string') return;
    await writer.delete(before);
    writer.tell('TopologyDelete', `Deleted MachineHealthCheck "${keyText(before)}"`, before);
  } else if (before === undefined) {
    const made = await writer.create(after);
    writer.tell('TopologyCreate', `Created MachineHealthCheck "${keyText(after)}"`, made);
  } else if ((await writer.compare(before, after)).isChanged) {
    await writer.patch(before, after);
    writer.tell('TopologyUpdate', `Updated MachineHealthCheck "${keyText(after)}"`, before);
  }
}
