import { countsAs, labels, type ObservedMachine, sumVersions } from '@slipway/cluster-api';
import { isDeleting } from '@slipway/runtime';
import { availableCondition } from './available-condition.js';
import { desiredReplicas } from './control-plane.js';
import { controlPlaneConditions } from './control-plane-conditions.js';
import type { ControlPlanePass } from './control-plane-pass.js';
import { deprecatedConditions } from './deprecated-conditions.js';
import { lastRemediation } from './last-remediation.js';

/** Computes the status anew from what was seen. It is written in any case: it matters most when something went wrong. */
export function updateStatus(pass: ControlPlanePass): void {
  const machines = pass.observedMachines;
  updateCounters(pass, machines);
  const { controlPlane, preflight, creationProblem, deletion, nowMs } = pass;
  pass.setConditions(
    ...controlPlaneConditions({ controlPlane, machines, preflight, creationProblem, deletion, nowMs }),
  );
  pass.setConditions(
    availableCondition({
      controlPlane: pass.controlPlane,
      machines,
      members: pass.health?.etcd?.members,
      membersMatchMachines: pass.health?.membersMatchMachines ?? false,
      nowMs,
    }),
  );
  updateDeprecated(pass, machines);
}

function updateCounters(pass: ControlPlanePass, machines: readonly ObservedMachine[]): void {
  const count = (type: 'Ready' | 'Available' | 'UpToDate'): number =>
    machines.filter((machine) => countsAs(machine, type)).length;
  const versions = sumVersions(
    machines.flatMap(({ spec: { version } }) => (version === undefined ? [] : [{ version }])),
  );
  const last = lastRemediation(pass.controlPlane, machines);
  pass.update((draft) => {
    draft.status ??= {};
    const { status } = draft;
    status.selector = `${labels.clusterName}=${pass.clusterKey.name},${labels.controlPlane}`;
    status.replicas = machines.length;
    status.readyReplicas = count('Ready');
    status.availableReplicas = count('Available');
    status.upToDateReplicas = count('UpToDate');
    if (versions === undefined) delete status.versions;
    else status.versions = versions;
    // Deprecated: the lowest.
    if (versions?.[0] !== undefined) status.version = versions[0].version;
    if (last !== undefined) status.lastRemediation = last;
  });
}

function updateDeprecated(pass: ControlPlanePass, machines: readonly ObservedMachine[]): void {
  const deleting = isDeleting(pass.controlPlane);
  const ready = deleting || pass.observation === undefined ? undefined : readyNodes(pass);
  pass.update((draft) => {
    draft.status ??= {};
    draft.status.deprecated ??= {};
    const deprecated = (draft.status.deprecated.v1beta1 ??= {});
    deprecated.updatedReplicas = pass.machines.filter(({ outdated }) => outdated.length === 0).length;
    deprecated.readyReplicas = ready ?? 0;
    deprecated.unavailableReplicas = machines.length - (ready ?? 0);
  });
  pass.mark(...deprecatedConditions(pass.controlPlane, pass.machines, desiredReplicas(pass.controlPlane)));
}

/** The old counters go by Nodes. */
function readyNodes(pass: ControlPlanePass): number {
  return pass.nodes.filter(({ status }) =>
    status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True'),
  ).length;
}
