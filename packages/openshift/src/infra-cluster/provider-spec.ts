import { objectAt, textAt } from '@slipway/cluster-api';
import type { Frozen, JsonObject } from '@slipway/kube';
import type { ControlPlaneMachineSet, MapiMachine } from '../api/index.js';

const roleLabel = 'machine.openshift.io/cluster-api-machine-role';
const typeLabel = 'machine.openshift.io/cluster-api-machine-type';

export function isControlPlaneMachine({ metadata }: Frozen<MapiMachine>): boolean {
  return metadata.labels?.[roleLabel] === 'master' && metadata.labels[typeLabel] === 'master';
}

/**
 * Returns the providerSpec of the control plane machines: from the active ControlPlaneMachineSet, otherwise from the newest
 * machine.
 */
export function controlPlaneProviderSpec(
  set: Frozen<ControlPlaneMachineSet> | undefined,
  machines: Iterable<Frozen<MapiMachine>>,
): JsonObject | undefined {
  if (set !== undefined && textAt(set, 'spec', 'state') === 'Active')
    return objectAt(set, 'spec', 'template', 'machines_v1beta1_machine_openshift_io', 'spec', 'providerSpec', 'value');
  const newest = [...machines].filter(isControlPlaneMachine).sort(newestFirst)[0];
  return newest && objectAt(newest, 'spec', 'providerSpec', 'value');
}

function newestFirst(left: Frozen<MapiMachine>, right: Frozen<MapiMachine>): number {
  const [made, other] = [left.metadata.creationTimestamp ?? '', right.metadata.creationTimestamp ?? ''];
  if (made !== other) return made < other ? 1 : -1;
  return (left.metadata.name ?? '') < (right.metadata.name ?? '') ? 1 : -1;
}
