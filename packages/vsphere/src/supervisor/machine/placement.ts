import { isControlPlaneMachine, labels, machineDeployments, type Machine } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { MachineScope } from '@slipway/provider-kit';
import { isDeleting, labelIndex, type ReconcileContext } from '@slipway/runtime';
import type { SupervisorMachine, VirtualMachine } from '../../api/index.js';
import type { VmWaiting } from '../../machine/index.js';
import type { SupervisorDependencies } from '../dependencies.js';
import { membersOf, zoneAnnotationPrefix } from '../group/group-plan.js';
import { vmNameOf } from '../group/workers.js';
import { vmLabels } from '../names.js';
import { waiting } from './progress.js';

export interface Placement {
  readonly zone?: string;
  readonly groupName?: string;
  readonly affinity?: NonNullable<NonNullable<VirtualMachine['spec']>['affinity']>;
}

type PlacementResult =
  | { readonly type: 'placed'; readonly placement: Placement }
  /** The machine waits until the VirtualMachineGroup lists it. */
  | VmWaiting<SupervisorMachine>;

export type PlacementFinder = (scope: MachineScope<SupervisorMachine>) => PlacementResult;

/** Places a machine by the failure domain of its Machine only. */
export const placeByFailureDomain: PlacementFinder = ({ machine }) => {
  const { failureDomain } = machine.spec;
  return { type: 'placed', placement: failureDomain === undefined ? {} : { zone: failureDomain } };
};

const hostTopology = 'kubernetes.io/hostname';

/** Places workers of MachineDeployments with the VirtualMachineGroup of the cluster. A worker waits until the group lists it. */
export function placeByGroup(dependencies: SupervisorDependencies): PlacementFinder {
  return (scope) => {
    const { context, machine, cluster, infraMachine: vsphereMachine } = scope;
    const deployment = machine.metadata.labels?.[labels.deploymentName];
    if (isControlPlaneMachine(machine) || deployment === undefined) return placeByFailureDomain(scope);
    const { namespace = '', name = '' } = cluster.metadata;
    const group = context.sources.sourceFor(dependencies.platform.virtualMachineGroups).get({ namespace, name });
    if (!membersOf(group).has(vmNameOf(vsphereMachine)))
      return waiting(
        'Pending',
        'WaitingForVirtualMachineGroup',
        `Waiting for VirtualMachineGroup ${name} to list the machine`,
      );
    const zone = machine.spec.failureDomain ?? group?.metadata.annotations?.[`${zoneAnnotationPrefix}${deployment}`];
    const affinity = affinityOf(deployment, otherDeployments(context, machine, deployment));
    return { type: 'placed', placement: { groupName: name, affinity, ...(zone !== undefined && { zone }) } };
  };
}

/** Returns the names of the cluster's other MachineDeployments that have no failure domain. */
function otherDeployments({ sources }: ReconcileContext, machine: Frozen<Machine>, own: string): string[] {
  const value = `${machine.metadata.namespace ?? ''}/${machine.spec.clusterName}`;
  return sources
    .sourceFor(machineDeployments)
    .byIndex(labelIndex(labels.clusterName), value)
    .filter((each) => !isDeleting(each) && each.spec.template.spec.failureDomain === undefined)
    .map(({ metadata }) => metadata.name ?? '')
    .filter((name) => name !== own)
    .sort();
}

/**
 * Returns affinity rules: machines of a MachineDeployment share a zone and are spread over its hosts, and prefer a zone without
 * other MachineDeployments.
 */
function affinityOf(deployment: string, others: readonly string[]): NonNullable<Placement['affinity']> {
  const ofDeployment = { matchLabels: { [labels.deploymentName]: deployment } };
  const away = others.length === 0 ? [] : [{ key: labels.deploymentName, operator: 'In', values: [...others] }];
  return {
    vmAffinity: {
      requiredDuringSchedulingPreferredDuringExecution: [{ labelSelector: ofDeployment, topologyKey: vmLabels.zone }],
    },
    vmAntiAffinity: {
      preferredDuringSchedulingPreferredDuringExecution: [
        { labelSelector: ofDeployment, topologyKey: hostTopology },
        ...away.map((expression) => ({
          labelSelector: { matchExpressions: [expression] },
          topologyKey: vmLabels.zone,
        })),
      ],
    },
  };
}
