import { type Cluster, clusters, keysOfCluster, type Machine, machines } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type AnyPredicate,
  type Controller,
  createController,
  keyOf,
  type ObjectChange,
  type ObjectKey,
  type Resource,
  type Sources,
  type Trigger,
  type Watch,
  watch,
} from '@slipway/runtime';
import { reconcileVSphereMachine } from './reconcile.js';
import type { CommonMachine, VmService } from './vm-service.js';

export interface VSphereMachineControllerOptions<M extends CommonMachine> {
  /** Both groups have a kind of this name, so that the name of the controller says whose. */
  readonly name: string;
  readonly service: VmService<M>;
  readonly sources: Sources;
  readonly concurrency: number;
  readonly filter: AnyPredicate;
  /** What the service makes, and looks at. */
  readonly watches: readonly Watch[];
  readonly triggers?: readonly Trigger[];
}

export function createVSphereMachineController<M extends CommonMachine>(
  options: VSphereMachineControllerOptions<M>,
): Controller {
  const { name, service, sources, concurrency, filter, watches, triggers = [] } = options;
  const resource = service.resource as Resource;
  return createController({
    name,
    for: resource,
    concurrency,
    filter,
    watches: [
      watch(machines, { map: (machine) => infrastructureOf(machine, resource) }),
      watch(clusters, {
        map: (cluster) => keysOfCluster(sources, resource, keyOf(cluster)),
        filter: mattersToMachines,
      }),
      ...watches,
    ],
    triggers,
    reconcile: (key, context) => reconcileVSphereMachine(key, context, service),
  });
}

/** By group and kind: the other mode has machines of the same kind and perhaps the same name. */
function infrastructureOf(machine: Frozen<Machine>, resource: Resource): ObjectKey[] {
  const { kind, apiGroup, name } = machine.spec.infrastructureRef;
  if (kind !== resource.kind || apiGroup !== resource.group) return [];
  return [{ namespace: machine.metadata.namespace ?? '', name }];
}

/** Clusters change often, and what machines wait for in them seldom. */
function mattersToMachines({ object, previous }: ObjectChange<Cluster>): boolean {
  if (previous === undefined) return true;
  const [is, was] = [object.status?.initialization, previous.status?.initialization];
  return (
    is?.infrastructureProvisioned !== was?.infrastructureProvisioned ||
    is?.controlPlaneInitialized !== was?.controlPlaneInitialized ||
    object.spec.paused !== previous.spec.paused
  );
}
