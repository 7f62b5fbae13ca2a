import { done, isDeleting, type Outcome, ReconcileError, wait } from '@slipway/runtime';
import { infrastructureMachine, type InfrastructureMachine, type ProviderState } from '../contract/index.js';
import { changeMachine, type MachineScope, statusOf } from './machine-scope.js';
import { readProviderObject, setFailure } from './provider-objects.js';
import { mirrorReady, missingObjectRetryMs } from './reconcile-bootstrap.js';

/** Waits for the infrastructure provider to make the machine, and copies what it says of it. */
export async function reconcileInfrastructure(scope: MachineScope): Promise<Outcome> {
  const { infrastructureRef } = scope.machine.spec;
  scope.infrastructure = { type: 'failed' };
  try {
    scope.infrastructure = await readProviderObject(scope, infrastructureRef);
  } catch (error) {
    scope.infrastructure = { type: 'failed', error };
    throw error;
  }
  if (scope.infrastructure.type === 'found') return copyInfrastructure(scope, scope.infrastructure);
  return isDeleting(scope.machine) ? done() : reportMissing(scope);
}

function reportMissing(scope: MachineScope): Outcome {
  const { infrastructureRef } = scope.machine.spec;
  const { namespace = '' } = scope.machine.metadata;
  const what = `${infrastructureRef.kind} ${namespace}/${infrastructureRef.name}`;
  if (scope.machine.status?.initialization?.infrastructureProvisioned !== true)
    return wait({ ms: missingObjectRetryMs, reason: 'InfrastructureMissing', message: `${what} does not exist` });
  const message = `Machine infrastructure resource ${what} has been deleted after provisioning was completed`;
  setFailure(scope, { failureReason: 'InvalidConfiguration', failureMessage: message });
  throw new ReconcileError('InfrastructureDeleted', message, {
    retry: 'later',
    remedy: 'delete the Machine, so that its owner makes another',
  });
}

type Found = Extract<ProviderState, { type: 'found' }>;

/** Once provisioned, always provisioned: a provider that says otherwise later reports an issue, not a new machine. */
function copyInfrastructure(scope: MachineScope, { kind, object }: Found): Outcome {
  const read = infrastructureMachine.read(object, kind.contract);
  mirrorReady(scope, 'InfrastructureReady', object, read.provisioned, 'WaitingForInfrastructure');
  const wasProvisioned = scope.machine.status?.initialization?.infrastructureProvisioned === true;
  if (isDeleting(object) || (!read.provisioned && !wasProvisioned)) return done();
  if (read.providerId === undefined)
    return wait({
      reason: 'WaitingForProviderID',
      message: `${object.kind} ${object.metadata.name ?? ''} is provisioned, but spec.providerID is not set`,
    });
  copyFields(scope, read, read.providerId);
  return done();
}

function copyFields(scope: MachineScope, read: InfrastructureMachine, providerId: string): void {
  changeMachine(scope, (draft) => {
    draft.spec.providerID = providerId;
    if (read.specFailureDomain !== undefined) draft.spec.failureDomain = read.specFailureDomain;
    const status = statusOf(draft);
    status.initialization = { ...status.initialization, infrastructureProvisioned: true };
    if (read.addresses.length > 0) status.addresses = [...read.addresses];
    if (read.failureDomain !== undefined) status.failureDomain = read.failureDomain;
  });
}
