import type { Frozen } from '@slipway/kube';
import { getCondition, type NewCondition } from '@slipway/runtime';
import { type MachineDeployment, type MachineSet, machineReasons, reasons, revisionAnnotations } from '../api/index.js';
import { type ObservedMachine, upToDateMessages } from '../machines/index.js';

type ObservedSet = Frozen<MachineSet>;
type ObservedDeployment = Frozen<MachineDeployment>;

/**
 * Whether a machine is what its deployment wants, judged by the templates, as the deployment itself decides. Machines of a
 * control plane are judged by their control plane, and those that stand alone by nobody.
 */
export function upToDateCondition(
  machine: ObservedMachine,
  set: ObservedSet | undefined,
  deployment: ObservedDeployment | undefined,
  nowMs: number,
): NewCondition | undefined {
  if (set === undefined || deployment === undefined) return undefined;
  const type = 'UpToDate';
  const outdated = upToDateMessages(deployment, set, nowMs);
  if (outdated.length > 0) return { type, status: 'False', reason: reasons.notUpToDate, message: outdated.join('\n') };
  const updating = getCondition(machine, 'Updating');
  if (updating?.status === 'True') {
    const message = `* ${updating.message === '' ? 'In-place update in progress' : updating.message}`;
    return { type, status: 'False', reason: machineReasons.updating, message };
  }
  const kubelet = machine.status?.nodeInfo?.kubeletVersion ?? '';
  if (kubelet !== '' && kubelet !== machine.spec.version) {
    const message = `* Node.status.nodeInfo.kubeletVersion ${kubelet}, ${machine.spec.version ?? ''} required`;
    return { type, status: 'False', reason: machineReasons.updating, message };
  }
  return { type, status: 'True', reason: reasons.upToDate };
}

/** The machine's set is of an older revision than the deployment has come to. */
export function isOutdated(set: ObservedSet | undefined, deployment: ObservedDeployment | undefined): boolean {
  if (set === undefined || deployment === undefined) return false;
  return revisionOf(set) < revisionOf(deployment);
}

function revisionOf(object: {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}): number {
  const revision = Number(object.metadata.annotations?.[revisionAnnotations.revision] ?? '0');
  return Number.isSafeInteger(revision) ? revision : 0;
}
