import { labels } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { isControlledBy, ownerReference, type ReconcileContext, ReconcileError } from '@slipway/runtime';
import {
  type HaproxyLoadBalancer,
  type VSphereCluster,
  vsphereFinalizers,
  type VSphereVm,
  vsphereVms,
} from '../../api/index.js';
import type { ObservedVm } from '../vm/vm-spec.js';
import { bootstrapSecretName } from './secrets.js';

type LoadBalancer = Frozen<HaproxyLoadBalancer>;

export function vmOf(
  { sources }: Pick<ReconcileContext, 'sources'>,
  { metadata }: LoadBalancer,
): ObservedVm | undefined {
  return sources.sourceFor(vsphereVms).get({ namespace: metadata.namespace ?? '', name: vmName(metadata) });
}

/** Creates the VSphereVM that HAProxy runs on. Its own controller creates the virtual machine. */
export async function ensureVm(
  context: ReconcileContext,
  balancer: LoadBalancer,
  vsphereCluster: Frozen<VSphereCluster>,
): Promise<ObservedVm> {
  const current = vmOf(context, balancer);
  if (current === undefined)
    return context.change({
      verb: 'create',
      resource: vsphereVms,
      object: desiredVm(balancer, vsphereCluster),
      reason: 'Provisioning',
      message: `Created VSphereVM ${vmName(balancer.metadata)} to run HAProxy`,
    });
  if (isControlledBy(current, balancer)) return current;
  throw new ReconcileError('NameTaken', `VSphereVM ${current.metadata.name} has another owner`, {
    retry: 'onChange',
    remedy: 'use another name for the HAProxyLoadBalancer',
  });
}

function desiredVm(balancer: LoadBalancer, { spec }: Frozen<VSphereCluster>): VSphereVm {
  const { metadata } = balancer;
  const own = structuredClone(
    balancer.spec.virtualMachineConfiguration,
  ) as HaproxyLoadBalancer['spec']['virtualMachineConfiguration'];
  const { server = spec.server, thumbprint = spec.thumbprint, datacenter = '*' } = own;
  return {
    apiVersion: `${vsphereVms.group}/${vsphereVms.version}` as VSphereVm['apiVersion'],
    kind: 'VSphereVM',
    metadata: {
      name: vmName(metadata),
      namespace: metadata.namespace,
      labels: { [labels.clusterName]: metadata.labels?.[labels.clusterName] ?? '' },
      ownerReferences: [ownerReference(balancer, { controller: true })],
      finalizers: [vsphereFinalizers.vsphereVm],
    },
    spec: {
      ...own,
      server,
      datacenter,
      ...(thumbprint !== undefined && { thumbprint }),
      bootstrapRef: { name: bootstrapSecretName(balancer) },
    },
  };
}

function vmName({ name = '' }: LoadBalancer['metadata']): string {
  return `${name}-lb`;
}
