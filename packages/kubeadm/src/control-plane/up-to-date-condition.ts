import { isUpdatingInPlace, machineReasons, reasons } from '@slipway/cluster-api';
import { getCondition, type NewCondition } from '@slipway/runtime';
import type { MachineView } from './control-plane.js';

/** Whether a machine is as the control plane wants it; the lines of it are what the rollout tells as its causes. */
export function upToDateCondition({ machine, outdated }: MachineView): NewCondition {
  const type = 'UpToDate';
  if (outdated.length > 0) {
    const message = outdated.map((reason) => `* ${reason}`).join('\n');
    return { type, status: 'False', reason: reasons.notUpToDate, message };
  }
  if (isUpdatingInPlace(machine)) {
    const updating = getCondition(machine, 'Updating');
    const told =
      updating?.status === 'True' && updating.message !== '' ? updating.message : 'In-place update in progress';
    return { type, status: 'False', reason: machineReasons.updating, message: `* ${told}` };
  }
  const kubelet = machine.status?.nodeInfo?.kubeletVersion ?? '';
  const version = machine.spec.version ?? '';
  if (kubelet !== '' && kubelet !== version) {
    const message = `* Node.status.nodeInfo.kubeletVersion ${kubelet}, ${version} required`;
    return { type, status: 'False', reason: machineReasons.updating, message };
  }
  return { type, status: 'True', reason: reasons.upToDate };
}
