import type { Frozen } from '@slipway/kube';
import {
  type Controller,
  createController,
  done,
  edit,
  ensureFinalizer,
  isDeleting,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
} from '@slipway/runtime';
import { type VirtualMachineService, virtualMachineServices, vmLabels } from '@slipway/vsphere';
import { loadBalancerAddress } from './addresses.js';
import type { SimulatedGuests } from './guests.js';

const finalizer = 'virtualmachineservice.vmoperator.vmware.com';

/** Simulates the load balancer: assigns an address of this host, on which the simulated cluster listens. */
export function createSimulatedServiceController(options: { readonly guests: SimulatedGuests }): Controller {
  return createController({
    name: 'simulated-virtualmachineservice',
    for: virtualMachineServices,
    concurrency: 10,
    reconcile: (key, context) => reconcile(key, context, options.guests),
  });
}

async function reconcile(key: ObjectKey, context: ReconcileContext, guests: SimulatedGuests): Promise<Outcome> {
  const service = context.sources.sourceFor(virtualMachineServices).get(key);
  if (service === undefined) return done();
  const cluster = clusterKeyOf(service);
  if (isDeleting(service)) {
    await guests.release(cluster);
    await releaseFinalizer(context, virtualMachineServices, service, finalizer);
    return done();
  }
  if ((await ensureFinalizer(context, virtualMachineServices, service, finalizer)).changed) return done();
  const known = service.status?.loadBalancer?.ingress?.[0]?.ip;
  const port = service.spec?.ports?.[0]?.port ?? 0;
  const { host = '' } = await guests.reserve(cluster, {
    host: known ?? loadBalancerAddress(service.metadata.uid ?? ''),
    port,
  });
  const after = edit(service, (draft) => {
    draft.status = { ...draft.status, loadBalancer: { ingress: [{ ip: host }] } };
  });
  await context.change({
    verb: 'status',
    resource: virtualMachineServices,
    before: service,
    after,
    reason: 'AddressAssigned',
    message: `Assigned ${host} to the load balancer`,
  });
  return done();
}

/**
 * Returns the key of the cluster that the service selects. Its name can differ from the name of the service in older versions.
 */
function clusterKeyOf({ metadata, spec }: Frozen<VirtualMachineService>): ObjectKey {
  const name = spec?.selector?.[vmLabels.clusterName[0]] ?? metadata.name ?? '';
  return { namespace: metadata.namespace ?? '', name };
}
