import { countsAs, labels, nameOf, type ObservedMachine, sumVersions } from '@slipway/cluster-api';
import { formatTime } from '@slipway/kube';
import { isDeleting, type Summaries } from '@slipway/runtime';
import { controlPlaneAnnotations, type KubeadmControlPlane } from '../api/index.js';
import { availableCondition } from './available-condition.js';
import { controlPlaneConditions, deprecatedConditions } from './control-plane-conditions.js';
import type { ControlPlaneScope } from './control-plane-scope.js';
import {
  desiredReplicas,
  type ObservedControlPlane,
  parseRemediationData,
  type RemediationData,
} from './control-plane.js';

/** The parts of the status that sum up machines. */
export const summaries: Summaries = { conditions: ['MachinesReady', 'MachinesUpToDate'], messages: ['Ready'] };

/** Computes the status from the observed state. It is also written after an error, when users need it most. */
export function updateStatus(scope: ControlPlaneScope): void {
  const machines = scope.observedMachines;
  updateCounters(scope, machines);
  const { controlPlane, preflight, creationProblem, deletion, nowMs } = scope;
  scope.setConditions(
    ...controlPlaneConditions({ controlPlane, machines, preflight, creationProblem, deletion, nowMs }),
  );
  scope.setConditions(
    availableCondition({
      controlPlane: scope.controlPlane,
      machines,
      members: scope.health?.etcd?.members,
      membersMatchMachines: scope.health?.membersMatchMachines ?? false,
      nowMs,
    }),
  );
  updateDeprecated(scope, machines);
}

function updateCounters(scope: ControlPlaneScope, machines: readonly ObservedMachine[]): void {
  const count = (type: 'Ready' | 'Available' | 'UpToDate'): number =>
    machines.filter((machine) => countsAs(machine, type)).length;
  const versions = sumVersions(
    machines.flatMap(({ spec: { version } }) => (version === undefined ? [] : [{ version }])),
  );
  const last = lastRemediation(scope.controlPlane, machines);
  scope.update((draft) => {
    draft.status ??= {};
    const { status } = draft;
    status.selector = `${labels.clusterName}=${scope.clusterKey.name},${labels.controlPlane}`;
    status.replicas = machines.length;
    status.readyReplicas = count('Ready');
    status.availableReplicas = count('Available');
    status.upToDateReplicas = count('UpToDate');
    if (versions === undefined) delete status.versions;
    else status.versions = versions;
    // Deprecated field: the lowest version.
    if (versions?.[0] !== undefined) status.version = versions[0].version;
    if (last !== undefined) status.lastRemediation = last;
  });
}

function updateDeprecated(scope: ControlPlaneScope, machines: readonly ObservedMachine[]): void {
  const deleting = isDeleting(scope.controlPlane);
  const ready = deleting || scope.observation === undefined ? undefined : readyNodes(scope);
  scope.update((draft) => {
    draft.status ??= {};
    draft.status.deprecated ??= {};
    const deprecated = (draft.status.deprecated.v1beta1 ??= {});
    deprecated.updatedReplicas = scope.machines.filter(({ outdated }) => outdated.length === 0).length;
    deprecated.readyReplicas = ready ?? 0;
    deprecated.unavailableReplicas = machines.length - (ready ?? 0);
  });
  scope.mark(...deprecatedConditions(scope.controlPlane, scope.machines, desiredReplicas(scope.controlPlane)));
}

/** Returns the number of ready Nodes. The v1beta1 counters are based on Nodes. */
function readyNodes(scope: ControlPlaneScope): number {
  return scope.nodes.filter(({ status }) =>
    status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True'),
  ).length;
}

type LastRemediation = NonNullable<NonNullable<KubeadmControlPlane['status']>['lastRemediation']>;

/** Returns the remediation in progress, or else the latest one that is recorded on the machines. */
function lastRemediation(
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
