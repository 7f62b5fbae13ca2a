import { labels, machines, ownerNameOf } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import { isDeleting, labelIndex, type ObjectKey, type Sources } from '@slipway/runtime';
import { type SupervisorMachine, supervisorMachines } from '../../api/index.js';
import { renderVmName } from '../../machine/index.js';
import type { Worker } from './group-plan.js';

/** Returns the name of a machine's VirtualMachine. */
export function vmNameOf(vsphereMachine: Frozen<SupervisorMachine>): string {
  const { metadata, spec } = vsphereMachine;
  const owner = ownerNameOf(machines, vsphereMachine as Frozen<KubeObject>);
  return renderVmName(spec.naming?.template, owner ?? metadata.name ?? '');
}

/** Returns all machines of a cluster that belong to a MachineDeployment. */
export function workersOf(sources: Sources, { namespace, name }: ObjectKey): Worker[] {
  const found = sources.sourceFor(supervisorMachines).byIndex(labelIndex(labels.clusterName), `${namespace}/${name}`);
  return found.flatMap((vsphereMachine) => {
    const deployment = vsphereMachine.metadata.labels?.[labels.deploymentName];
    if (deployment === undefined) return [];
    return [{ vmName: vmNameOf(vsphereMachine), deployment, deleting: isDeleting(vsphereMachine) }];
  });
}
