import { clusterOf, type Machine, machines, type ObservedCluster, ownerNameOf, ownerOf } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { ReconcileError, type Sources } from '@slipway/runtime';
import {
  haproxyLoadBalancers,
  type VSphereCluster,
  vsphereClusters,
  type VSphereDeploymentZone,
  vsphereDeploymentZones,
  type VSphereFailureDomain,
  vsphereFailureDomains,
  vsphereMachines,
} from '../../api/index.js';
import type { ObservedVm } from './vm-spec.js';

/** The objects that a VSphereVM belongs to. They may be deleted before the VSphereVM. */
export interface VmParents {
  readonly machine: Frozen<Machine> | undefined;
  /** Whether the VM is that of a load balancer, which has no Machine. */
  readonly isLoadBalancer: boolean;
  readonly cluster: ObservedCluster | undefined;
  readonly vsphereCluster: Frozen<VSphereCluster> | undefined;
}

export function observeParents(sources: Sources, vm: ObservedVm): VmParents {
  const vsphereMachine = ownerOf(sources, vsphereMachines, vm);
  const machine = vsphereMachine === undefined ? undefined : ownerOf(sources, machines, vsphereMachine);
  const cluster = clusterOf(sources, { metadata: vm.metadata });
  return { machine, isLoadBalancer: isLoadBalancer(vm), cluster, vsphereCluster: vsphereClusterOf(sources, cluster) };
}

export function isLoadBalancer(vm: Pick<ObservedVm, 'metadata'>): boolean {
  return ownerNameOf(haproxyLoadBalancers, vm) !== undefined;
}

export function vsphereClusterOf(
  sources: Sources,
  cluster: ObservedCluster | undefined,
): Frozen<VSphereCluster> | undefined {
  const reference = cluster?.spec.infrastructureRef;
  if (reference?.kind !== vsphereClusters.kind || reference.apiGroup !== vsphereClusters.group) return undefined;
  const namespace = cluster?.metadata.namespace ?? '';
  return sources.sourceFor(vsphereClusters).get({ namespace, name: reference.name });
}

/** Returns the failure domain of a Machine. `spec.failureDomain` is the name of a VSphereDeploymentZone. */
export function failureDomainOf(
  sources: Sources,
  machine: Frozen<Machine> | undefined,
): { readonly zone: Frozen<VSphereDeploymentZone>; readonly domain: Frozen<VSphereFailureDomain> } | undefined {
  const name = machine?.spec.failureDomain ?? '';
  if (name === '') return undefined;
  const zone = sources.sourceFor(vsphereDeploymentZones).get({ namespace: '', name });
  const domain =
    zone === undefined
      ? undefined
      : sources.sourceFor(vsphereFailureDomains).get({ namespace: '', name: zone.spec.failureDomain });
  if (zone !== undefined && domain !== undefined) return { zone, domain };
  const missing =
    zone === undefined ? `VSphereDeploymentZone ${name}` : `VSphereFailureDomain ${zone.spec.failureDomain}`;
  // Continuing without the zone would place the VM outside its failure domain.
  throw new ReconcileError('FailureDomainNotFound', `${missing} not found`, {
    retry: 'later',
    remedy: 'create it, or remove the failure domain from the Machine',
  });
}
