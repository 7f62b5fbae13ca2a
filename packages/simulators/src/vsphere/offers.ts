import type { KubeObject } from '@slipway/kube';
import {
  type Client,
  type Controller,
  createController,
  done,
  ifPresent,
  isDeleting,
  namespaces,
  type Resource,
} from '@slipway/runtime';
import { distributedNetworks, virtualMachineClasses } from '@slipway/vsphere';

/** Names as a Supervisor has them out of the box. */
const classes: readonly (readonly [name: string, cpus: number, memory: string])[] = [
  ['best-effort-small', 2, '4Gi'],
  ['best-effort-medium', 2, '8Gi'],
  ['best-effort-large', 4, '16Gi'],
];

/** Plays the administrator: every namespace is offered sizes of machines and a network. */
export function createStandInOffersController(): Controller {
  return createController({
    name: 'stand-in-offers',
    for: namespaces,
    async reconcile({ name: namespace }, { client, sources, signal }) {
      const found = sources.sourceFor(namespaces).get({ namespace: '', name: namespace });
      if (found === undefined || isDeleting(found) || namespace.startsWith('kube-')) return done();
      for (const [name, cpus, memory] of classes)
        await ensure(client, virtualMachineClasses, signal, {
          apiVersion: 'vmoperator.vmware.com/v1alpha5',
          kind: 'VirtualMachineClass',
          metadata: { name, namespace },
          spec: { hardware: { cpus, memory } },
        });
      await ensure(client, distributedNetworks, signal, {
        apiVersion: 'netoperator.vmware.com/v1alpha1',
        kind: 'Network',
        metadata: { name: 'primary', namespace, labels: { 'capv.vmware.com/is-default-network': 'true' } },
      });
      return done();
    },
  });
}

/** A race that is lost is an error that is tried again. */
async function ensure(client: Client, resource: Resource, signal: AbortSignal, object: KubeObject): Promise<void> {
  const { namespace = '', name = '' } = object.metadata;
  if ((await ifPresent(client.get(resource, { namespace, name }, { signal }))) === undefined)
    await client.create(resource, object, { signal });
}
