import { reasons, whatIsMissing } from '@slipway/cluster-api';
import { wait } from '@slipway/runtime';
import type { CommonMachine, ObservedMachine, VmWaiting } from './vm-service.js';

/** The old style has other words. */
const oldReasons: ReadonlyMap<string, string> = new Map([
  [reasons.waitingForClusterInfrastructureReady, 'WaitingForClusterInfrastructure'],
  [reasons.waitingForControlPlaneInitialized, 'WaitingForControlPlaneAvailable'],
]);

/** What a machine waits for before its virtual machine is made. Watches tell when it is there. */
export function waitForPrerequisites(
  observed: Pick<ObservedMachine<CommonMachine>, 'machine' | 'cluster'>,
  waitsForInfrastructure: boolean,
): VmWaiting | undefined {
  const missing = whatIsMissing(observed, { waitsForInfrastructure });
  if (missing === undefined) return undefined;
  const { reason, message } = missing;
  return {
    type: 'waiting',
    condition: { status: 'False', reason, message },
    old: { status: 'False', reason: oldReasons.get(reason) ?? reason, severity: 'Info', message },
    outcome: wait({ reason, message }),
  };
}
