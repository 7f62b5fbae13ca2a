import type { ReconcileContext, Watch } from '@slipway/runtime';
import { kindOfTemplate } from '../contract/index.js';
import { kindAtVersion, readObject, type VersionedReference } from './provider-objects.js';
import type { Blueprint, ObservedClass, ObservedObject, Topology, WorkerBlueprint } from './topology-state.js';

type Context = Pick<ReconcileContext, 'sources' | 'follow'>;

/** Reads the templates that a class references. */
export async function readBlueprint(
  context: Context,
  clusterClass: ObservedClass,
  topology: Topology,
  map: Watch['map'],
): Promise<Blueprint> {
  const namespace = clusterClass.metadata.namespace ?? '';
  const { spec } = clusterClass;
  const read = (reference: VersionedReference): Promise<ObservedObject> =>
    readObject(context, kindAtVersion(context.sources, reference), { namespace, name: reference.name }, map);
  const { controlPlane } = spec;
  const machineReference = controlPlane.machineInfrastructure?.templateRef;
  const { apiVersion, kind } = controlPlane.templateRef;
  return {
    topology,
    clusterClass,
    infrastructureCluster: await read(spec.infrastructure.templateRef),
    controlPlane: {
      template: await read(controlPlane.templateRef),
      contract: kindAtVersion(context.sources, { apiVersion, kind: kindOfTemplate(kind) }).contract,
      ...(machineReference === undefined ? {} : { machineInfrastructure: await read(machineReference) }),
    },
    machineDeployments: await workers(spec.workers?.machineDeployments ?? [], read),
    machinePools: await workers(spec.workers?.machinePools ?? [], read),
  };
}

interface WorkerClass {
  readonly class: string;
  readonly bootstrap: { readonly templateRef: VersionedReference };
  readonly infrastructure: { readonly templateRef: VersionedReference };
}

async function workers<Class extends WorkerClass>(
  classes: readonly Class[],
  read: (reference: VersionedReference) => Promise<ObservedObject>,
): Promise<ReadonlyMap<string, WorkerBlueprint<Class>>> {
  const found = new Map<string, WorkerBlueprint<Class>>();
  for (const workerClass of classes) {
    found.set(workerClass.class, {
      workerClass,
      bootstrap: await read(workerClass.bootstrap.templateRef),
      infrastructure: await read(workerClass.infrastructure.templateRef),
    });
  }
  return found;
}
