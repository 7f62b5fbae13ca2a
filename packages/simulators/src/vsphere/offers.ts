import type { KubeObject } from '@slipway/kube';
import {
  type Controller,
  createController,
  done,
  ifPresent,
  isDeleting,
  namespaces,
  type ReconcileContext,
  type Resource,
} from '@slipway/runtime';
import { distributedNetworks, virtualMachineClasses } from '@slipway/vsphere';

/** VM classes with the names that a Supervisor has by default. */
const classes: readonly (readonly [name: string, cpus: number, memory: string])[] = [
  ['best-effort-small', 2, '4Gi'],
  ['best-effort-medium', 2, '8Gi'],
  ['best-effort-large', 4, '16Gi'],
];

/** Simulates the administrator, who makes VM classes and a network available in every namespace. */
export function createSimulatedOffersController(): Controller {
  return createController({
    name: 'simulated-offers',
    for: namespaces,
    async reconcile({ name: namespace }, context) {
      const found = context.sources.sourceFor(namespaces).get({ namespace: '', name: namespace });
      if (found === undefined || isDeleting(found) || namespace.startsWith('kube-')) return done();
      for (const [name, cpus, memory] of classes)
        await ensure(context, virtualMachineClasses, {
          apiVersion: 'vmoperator.vmware.com/v1alpha5',
          kind: 'VirtualMachineClass',
          metadata: { name, namespace },
          spec: { hardware: { cpus, memory } },
        });
      await ensure(context, distributedNetworks, {
        apiVersion: 'netoperator.vmware.com/v1alpha1',
        kind: 'Network',
        metadata: { name: 'primary', namespace, labels: { 'capv.vmware.com/is-default-network': 'true' } },
      });
      return done();
    },
  });
}

/** Creates the object if it does not exist. If another client creates it first, this fails and the reconcile is retried. */
async function ensure(context: ReconcileContext, resource: Resource, object: KubeObject): Promise<void> {
  const { namespace = '', name = '' } = object.metadata;
  const { read, signal } = context;
  if ((await ifPresent(read.get(resource, { namespace, name }, { signal }))) !== undefined) return;
  const message = `Made ${resource.kind} ${name} available in namespace ${namespace}`;
  await context.change({ verb: 'create', resource, object, reason: 'NamespaceCreated', message });
}
