import { labelSelectorFromObject } from '@slipway/kube';
import { isDeleting, sumVersions, type VersionCount } from '../machines/index.js';
import type { ObservedDeployment, ObservedMachineSet } from './rollout-plan.js';
import { countsOf, machinesAtMost, sumOf } from './set-counts.js';

export type DeploymentPhase = 'ScalingUp' | 'ScalingDown' | 'Running' | 'Unknown';

export interface DeploymentCounters {
  readonly selector: string;
  readonly phase: DeploymentPhase;
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly upToDateReplicas: number;
  readonly versions: { version: string; replicas: number }[] | undefined;
  readonly deprecated: {
    readonly v1beta1: {
      readonly readyReplicas: number;
      readonly availableReplicas: number;
      readonly unavailableReplicas: number;
      readonly updatedReplicas: number;
    };
  };
}

/** The counters of the status, each the sum over the sets. `newMachineSet` names the one with the wanted template. */
export function deploymentCounters(
  deployment: ObservedDeployment,
  sets: readonly ObservedMachineSet[],
  newMachineSet: string | undefined,
): DeploymentCounters {
  const versions = sets.flatMap((set): readonly VersionCount[] => set.status?.versions ?? []);
  const replicas = sumOf(sets, (set) => set.status?.replicas ?? 0);
  const oldStyleAvailable = sumOf(sets, (set) => set.status?.deprecated?.v1beta1?.availableReplicas ?? 0);
  return {
    selector: labelSelectorFromObject(deployment.spec.selector).toString(),
    phase: phaseOf(deployment, replicas),
    replicas,
    readyReplicas: sumOf(sets, (set) => set.status?.readyReplicas ?? 0),
    availableReplicas: sumOf(sets, (set) => set.status?.availableReplicas ?? 0),
    upToDateReplicas: sumOf(sets, (set) => set.status?.upToDateReplicas ?? 0),
    versions: sumVersions(versions),
    deprecated: {
      v1beta1: {
        readyReplicas: sumOf(sets, (set) => set.status?.deprecated?.v1beta1?.readyReplicas ?? 0),
        availableReplicas: oldStyleAvailable,
        unavailableReplicas: Math.max(machinesAtMost(sets.map(countsOf)) - oldStyleAvailable, 0),
        updatedReplicas: sets.find((set) => set.metadata.name === newMachineSet)?.status?.replicas ?? 0,
      },
    },
  };
}

function phaseOf(deployment: ObservedDeployment, current: number): DeploymentPhase {
  const desired = deployment.spec.replicas;
  if (desired === undefined) return 'Unknown';
  if (isDeleting(deployment) || current > desired) return 'ScalingDown';
  return current < desired ? 'ScalingUp' : 'Running';
}

/** All machines are as wanted and available, none is left over, and the deployment itself was looked at since. */
export function isRolloutComplete(deployment: ObservedDeployment, sets: readonly ObservedMachineSet[]): boolean {
  const observed = (deployment.status?.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0);
  const counters = ['replicas', 'upToDateReplicas', 'availableReplicas'] as const;
  return (
    observed &&
    counters.every((counter) => sumOf(sets, (set) => set.status?.[counter] ?? 0) === deployment.spec.replicas)
  );
}
