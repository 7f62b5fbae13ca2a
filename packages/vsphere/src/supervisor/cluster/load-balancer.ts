import type { Frozen } from '@slipway/kube';
import { ensureOwnerReference, isDeleting, isSameOwner, ownerReference, ReconcileError } from '@slipway/runtime';
import type { VirtualMachineService } from '../../api/index.js';
import { podFamilies } from '../ip-families.js';
import { apiServerPort } from '../names.js';
import { apiVersionOf, ensureObject } from '../platform.js';
import { controlPlaneVmLabels } from '../vm-labels.js';
import type { ClusterScope } from './scope.js';

/** Ensures the control plane's load balancer and returns its addresses. Empty until they are allocated. */
export async function ensureLoadBalancer(scope: ClusterScope): Promise<readonly string[]> {
  const { context, dependencies, provider, cluster, vsphereCluster } = scope;
  const resource = dependencies.platform.virtualMachineServices;
  const families = podFamilies(cluster);
  const annotations = await provider.serviceAnnotations(scope);
  const current = currentService(scope);
  if (current !== undefined) requireOurs(scope, current);
  const { namespace = '', name = '' } = cluster.metadata;
  const empty: VirtualMachineService = {
    apiVersion: apiVersionOf(resource) as VirtualMachineService['apiVersion'],
    kind: resource.kind as VirtualMachineService['kind'],
    metadata: { namespace, name },
  };
  const service = await ensureObject(
    context,
    resource,
    current,
    empty,
    (draft) => {
      ensureOwnerReference(draft.metadata, ownerReference(vsphereCluster));
      draft.metadata.annotations = { ...draft.metadata.annotations, ...annotations };
      draft.spec = {
        ...draft.spec,
        type: 'LoadBalancer',
        ports: [{ name: 'apiserver', protocol: 'TCP', port: apiServerPort, targetPort: apiServerPort }],
        selector: controlPlaneVmLabels(name),
        ...familiesOf(scope, families),
      };
    },
    {
      reason: 'LoadBalancerRequired',
      message: `Requested the load balancer of the control plane of Cluster ${name}`,
    },
  );
  return (service.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip === undefined || ip === '' ? [] : [ip]));
}

/** Finds the load balancer Service by the name of the cluster, or by the name that releases before 1.13 used. */
function currentService({ context, dependencies, cluster }: ClusterScope): Frozen<VirtualMachineService> | undefined {
  const source = context.sources.sourceFor(dependencies.platform.virtualMachineServices);
  const { namespace = '', name = '' } = cluster.metadata;
  return source.get({ namespace, name }) ?? source.get({ namespace, name: `${name}-control-plane-service` });
}

/**
 * Throws if the Service belongs to another VSphereCluster or is being deleted: a re-created cluster must not use the address of
 * the cluster before it.
 */
function requireOurs({ vsphereCluster }: ClusterScope, service: Frozen<VirtualMachineService>): void {
  const desired = ownerReference(vsphereCluster);
  const other = service.metadata.ownerReferences?.find(
    (reference) => reference.kind === desired.kind && reference.uid !== desired.uid,
  );
  const stale = other !== undefined && (isSameOwner(other, desired) || other.apiVersion === desired.apiVersion);
  if (!stale && !isDeleting(service)) return;
  const why = isDeleting(service) ? 'is being deleted' : `belongs to another ${desired.kind} (uid ${other?.uid ?? ''})`;
  throw new ReconcileError('NotReady', `VirtualMachineService ${service.metadata.name ?? ''} ${why}`, {
    retry: 'onChange',
  });
}

function familiesOf(
  { features, dependencies, vsphereCluster }: ClusterScope,
  families: readonly string[],
): Pick<NonNullable<VirtualMachineService['spec']>, 'ipFamilies' | 'ipFamilyPolicy'> {
  const isVpc = vsphereCluster.spec?.network?.provider === 'VPC' || dependencies.networkProvider.endsWith('VPC');
  // VM Operator versions before v1alpha6 do not support IP families.
  if (!features.IPv6DualStack || !isVpc || dependencies.platform.version !== 'v1alpha6') return {};
  return { ipFamilies: [...families], ipFamilyPolicy: families.length > 1 ? 'RequireDualStack' : 'SingleStack' };
}
