import { ReconcileError } from '@slipway/runtime';
import type { ObservedClass } from '../topology-state.js';

/** Reports that a topology references a worker class that its ClusterClass does not have. */
export class WorkerClassError extends ReconcileError<'WorkerClassNotFound'> {
  constructor(kind: 'MachineDeployment' | 'MachinePool', workerClass: string, { metadata }: ObservedClass) {
    const name = `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
    super('WorkerClassNotFound', `${kind} class ${workerClass} not found in ClusterClass ${name}`, {
      retry: 'onChange',
      remedy: 'use a class of the ClusterClass, or add the class to it',
    });
  }
}
