import { ReconcileError } from '@slipway/runtime';
import type { ObservedClass } from '../topology-state.js';

/** A topology names a class of workers that its ClusterClass does not have. */
export class WorkerClassError extends ReconcileError<'WorkerClassNotFound'> {
  constructor(kind: 'MachineDeployment' | 'MachinePool', workerClass: string, { metadata }: ObservedClass) {
    const name = `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
    super('WorkerClassNotFound', `${kind} class ${workerClass} not found in ClusterClass ${name}`, {
      retry: 'onChange',
      remedy: 'name a class that the ClusterClass has, or add the class to it',
    });
  }
}
