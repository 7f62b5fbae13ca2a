import type { Frozen } from '@slipway/kube';
import { keyOf, ReconcileError } from '@slipway/runtime';
import { type DistributedNetwork, distributedNetworks, supervisorClusters } from '../../api/index.js';
import { namespaceIndex } from '../indexes.js';
import { apiVersionOf } from '../platform.js';
import { networkNotReady, type NetworkProvider, type NetworkScope } from './network-provider.js';
import { requireServed } from './readiness.js';

/** Labels of the default network. The second is from older releases. */
const defaultNetworkLabels = ['capv.vmware.com/is-default-network', 'capw.vmware.com/is-default-network'];

/** Network provider for distributed switches. Their networks belong to the namespace, and one of them is the default. */
export const distributedProvider: NetworkProvider = {
  hasLoadBalancer: true,
  supportsReadinessProbe: true,
  async ensureNetwork(scope) {
    await defaultNetwork(scope);
  },
  async serviceAnnotations(scope) {
    return { 'netoperator.vmware.com/network-name': (await defaultNetwork(scope)).metadata.name ?? '' };
  },
  // Rebuild the list each time: the VM has exactly the interfaces of the spec.
  async connect(scope, machine) {
    const network = await defaultNetwork(scope);
    const { kind } = distributedNetworks;
    const apiVersion = apiVersionOf(distributedNetworks);
    return {
      interfaces: [
        { name: 'eth0', network: { apiVersion, kind, name: network.metadata.name ?? '' } },
        ...(machine?.interfaces?.secondary ?? []).map(({ name, networkRef, mtu, routes }) => ({
          name,
          network: { ...networkRef },
          ...(mtu !== undefined && { mtu }),
          ...(routes !== undefined && { routes: routes.map((route) => ({ ...route })) }),
        })),
      ],
    };
  },
};

async function defaultNetwork(scope: NetworkScope): Promise<Frozen<DistributedNetwork>> {
  const { context, vsphereCluster } = scope;
  const { namespace = '' } = vsphereCluster.metadata;
  await requireServed(scope, distributedNetworks);
  const clustersOf = (inNamespace: string) =>
    context.sources.sourceFor(supervisorClusters).byIndex(namespaceIndex, inNamespace).map(keyOf);
  const source = await context.follow({
    resource: distributedNetworks,
    map: ({ metadata }) => clustersOf(metadata.namespace ?? ''),
  });
  const networks = source.byIndex(namespaceIndex, namespace);
  for (const label of defaultNetworkLabels) {
    const found = networks.filter(({ metadata }) => metadata.labels?.[label] === 'true');
    if (found.length > 1)
      throw new ReconcileError(
        networkNotReady,
        `${found.length} Networks in namespace ${namespace} have the label ${label}=true`,
        { retry: 'onChange', remedy: 'keep the label on one Network of the namespace' },
      );
    if (found[0] !== undefined) return found[0] as Frozen<DistributedNetwork>;
  }
  throw new ReconcileError(
    networkNotReady,
    `no Network in namespace ${namespace} has the label ${defaultNetworkLabels[0] ?? ''}=true`,
    {
      retry: 'onChange',
      remedy: 'add the label to the default Network of the namespace',
    },
  );
}
