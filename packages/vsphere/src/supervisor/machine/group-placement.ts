import { isControlPlaneMachine, labels, machineDeployments, type Machine } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { isDeleting, labelIndex, type ReconcileContext } from '@slipway/runtime';
import { membersOf, zoneAnnotationPrefix } from '../group/group-plan.js';
import { vmNameOf } from '../group/workers.js';
import { vmLabels } from '../names.js';
import type { SupervisorWorld } from '../world.js';
import { type Placement, type PlacementFinder, placeByFailureDomain } from './placement.js';
import { waiting } from './progress.js';

const hostTopology = 'kubernetes.io/hostname';

/** Workers are placed by the group of their cluster: they wait until it lists them. */
export function placeByGroup(world: SupervisorWorld): PlacementFinder {
  return async (observed, context) => {
    const { machine, cluster, vsphereMachine } = observed;
    const deployment = machine.metadata.labels?.[labels.deploymentName];
    if (isControlPlaneMachine(machine) || deployment === undefined) return placeByFailureDomain(observed, context);
    const { namespace = '', name = '' } = cluster.metadata;
    const group = context.sources.sourceFor(world.platform.virtualMachineGroups).get({ namespace, name });
    if (!membersOf(group).has(vmNameOf(vsphereMachine)))
      return waiting(
        'Pending',
        'WaitingForVirtualMachineGroup',
        'WaitingForVirtualMachineGroup',
        `VirtualMachineGroup ${name} does not list the machine yet`,
      );
    const zone = machine.spec.failureDomain ?? group?.metadata.annotations?.[`${zoneAnnotationPrefix}${deployment}`];
    const affinity = affinityOf(deployment, otherDeployments(context, machine, deployment));
    return { type: 'placed', placement: { groupName: name, affinity, ...(zone !== undefined && { zone }) } };
  };
}

/** Those that the Supervisor may place where it likes. */
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

/** Machines of one deployment share a zone and are spread over its hosts; other deployments go to other zones. */
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
