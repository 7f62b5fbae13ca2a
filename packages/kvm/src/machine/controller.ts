import { ipAddressClaims, ipAddresses } from '@slipway/cluster-api';
import { defineInfrastructureMachine, type ReportedCondition } from '@slipway/provider-kit';
import { type Controller, type ControllerContext, mapToOwner, ReconcileError, watch } from '@slipway/runtime';
import { kvmClusters, kvmConditions, kvmFinalizers, kvmMachines } from '../api/index.js';
import { mirrorStatus, pausingOf, withFailureEvent } from '../report.js';
import { ensureMachine } from './ensure.js';
import { removeMachine } from './remove.js';
import type { Backends } from './vm-service.js';

const { bootstrapDataAvailable, imageReady, disksReady, vmProvisioned, vmRunning, bootstrapSucceeded } = kvmConditions;

/** Reconciles virtual machines of all backends. */
export function createKVMMachineController(
  backends: Backends,
  context: Pick<ControllerContext, 'sources' | 'concurrency' | 'watchFilter'>,
): Controller {
  const services = [...backends.services.values()];
  return defineInfrastructureMachine(
    {
      name: 'kvmmachine',
      resource: kvmMachines,
      clusterResource: kvmClusters,
      finalizer: kvmFinalizers.kvmMachine,
      conditions: {
        provisioned: bootstrapDataAvailable,
        ready: [bootstrapDataAvailable, imageReady, disksReady, vmProvisioned, vmRunning],
        // BootstrapSucceeded is not part of Ready: the Node shows whether the bootstrap succeeded.
        others: [bootstrapSucceeded],
      },
      watches: [
        watch(ipAddressClaims, { map: mapToOwner(kvmMachines) }),
        // Keeps IPAddresses in the cache. They need no mapping: events of their claims trigger the reconcile.
        watch(ipAddresses, { map: () => [] }),
        ...services.flatMap((service) => service.watches?.() ?? []),
      ],
      triggers: services.flatMap((service) => service.triggers?.() ?? []),
      pausedBy: pausingOf,
      ensure: (scope) => withFailureEvent(scope.context, scope.infraMachine, () => ensureMachine(scope, backends)),
      remove: (scope) => withFailureEvent(scope.context, scope.infraMachine, () => removeMachine(scope, backends)),
      describeFailure,
      mirror(draft) {
        mirrorStatus(draft);
        draft.status ??= {};
        draft.status.machineState ??= 'pending';
      },
    },
    context,
  );
}

/** Returns the conditions after a failed reconcile. A provisioned machine is reported as unknown, not as failed. */
function describeFailure(error: unknown, wasProvisioned: boolean): ReportedCondition[] | undefined {
  if (!(error instanceof ReconcileError)) return undefined;
  const { reason, message } = error;
  return wasProvisioned
    ? [{ type: vmRunning, status: 'Unknown', reason, message }]
    : [{ type: vmProvisioned, status: 'False', reason, message }];
}
