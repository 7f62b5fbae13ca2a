import { nameOf, type ObservedMachine } from '@slipway/cluster-api';
import { formatTime } from '@slipway/kube';
import type { KubeadmControlPlane } from '../api/index.js';
import { controlPlaneAnnotations } from '../api/index.js';
import type { ObservedControlPlane } from './control-plane.js';
import { parseRemediationData, type RemediationData } from './remediation-data.js';

type LastRemediation = NonNullable<NonNullable<KubeadmControlPlane['status']>['lastRemediation']>;

/** The remediation that is going on, else the last of those that the machines remember. */
export function lastRemediation(
  controlPlane: ObservedControlPlane,
  machines: readonly ObservedMachine[],
): LastRemediation | undefined {
  const inProgress = controlPlane.metadata.annotations?.[controlPlaneAnnotations.remediationInProgress];
  const all =
    inProgress === undefined
      ? machines.flatMap((machine) => {
          const text = machine.metadata.annotations?.[controlPlaneAnnotations.remediationFor];
          return text === undefined ? [] : [parseRemediationData(text, `Machine ${nameOf(machine)}`)];
        })
      : [parseRemediationData(inProgress, `KubeadmControlPlane ${nameOf(controlPlane)}`)];
  const latest = all.reduce<RemediationData | undefined>(
    (last, each) => (last === undefined || (each.atMs ?? 0) > (last.atMs ?? 0) ? each : last),
    undefined,
  );
  if (latest?.atMs === undefined) return undefined;
  return { machine: latest.machine, time: formatTime(latest.atMs), retryCount: latest.retryCount };
}
