import { clusterOfMachinesWatch, machineWatch } from '@slipway/cluster-api';
import {
  type AnyPredicate,
  type Controller,
  createController,
  type Sources,
  type Trigger,
  type Watch,
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
  const resource = service.resource;
  return createController({
    name,
    for: resource,
    concurrency,
    filter,
    watches: [
      // By group and kind: the other mode has machines of the same kind and perhaps the same name.
      machineWatch(resource),
      clusterOfMachinesWatch(sources, resource),
      ...watches,
    ],
    triggers,
    reconcile: (key, context) => reconcileVSphereMachine(key, context, service),
  });
}
