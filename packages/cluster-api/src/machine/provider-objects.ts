import { type OwnerReference, parseApiVersion } from '@slipway/kube';
import { ownerReference } from '@slipway/runtime';
import { machines } from '../api/index.js';
import {
  claimReference,
  failureOf,
  noteFailure,
  type ObjectReference,
  type ProviderFailure,
  type ProviderState,
} from '../contract/index.js';
import { isControlPlaneMachine } from '../machines/index.js';
import { changeMachine, type MachineScope, statusOf } from './machine-scope.js';

/** Reads an object of a provider that the machine refers to, and makes it the machine's own. */
export async function readProviderObject(scope: MachineScope, reference: ObjectReference): Promise<ProviderState> {
  const { machine, settings } = scope;
  const state = await claimReference(scope.context, {
    reference,
    namespace: machine.metadata.namespace ?? '',
    resource: machines,
    map: settings.mapProviderObject,
    owner: ownerReference(machine, { controller: true }),
    clusterName: machine.spec.clusterName,
    // Who made the object owned it until there was a machine. From now on it goes when the machine goes.
    isFormerOwner: (owner) => isMaker(scope, owner),
  });
  const failure = state.type === 'found' ? failureOf(state.object) : undefined;
  if (failure !== undefined) setFailure(scope, failure);
  return state;
}

function isMaker({ cluster, machine }: MachineScope, { apiVersion, kind }: OwnerReference): boolean {
  const { group } = parseApiVersion(apiVersion);
  if (group === machines.group && kind === 'MachineSet') return true;
  const controlPlane = isControlPlaneMachine(machine) ? cluster?.spec.controlPlaneRef : undefined;
  return controlPlane !== undefined && group === controlPlane.apiGroup && kind === controlPlane.kind;
}

export function setFailure(scope: MachineScope, failure: ProviderFailure): void {
  changeMachine(scope, (draft) => noteFailure(statusOf(draft), failure));
}
