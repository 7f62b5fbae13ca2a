import { isReason, type KubeObject } from '@slipway/kube';
import {
  type ClusterCache,
  done,
  edit,
  type Endpoints,
  endpoints,
  ifPresent,
  keyOf,
  type ObjectKey,
  type Outcome,
  patchObject,
  type ReconcileContext,
  type RequestOptions,
  type Resource,
  type Service,
  services,
  type WorkloadClient,
} from '@slipway/runtime';
import { vsphereConditions } from '../../api/index.js';
import type { VSphereFeatures } from '../../feature-gates.js';
import { podFamilies } from '../ip-families.js';
import { apiServerPort } from '../names.js';
import { openWorkload, workIn } from '../workload-scope.js';
import { findSupervisorAddresses } from './supervisor-address.js';

const condition = {
  type: vsphereConditions.serviceDiscoveryReady,
  oldReason: 'SupervisorHeadlessServiceSetupFailed',
};

/** Under which name workload clusters find the Supervisor. */
const supervisorName = { namespace: 'default', name: 'supervisor' };

/** Lets pods of the workload cluster find the Supervisor: a Service without selector, and Endpoints that we keep. */
export async function reconcileServiceDiscovery(
  key: ObjectKey,
  context: ReconcileContext,
  settings: { readonly workloads: ClusterCache; readonly features: VSphereFeatures },
): Promise<Outcome> {
  const scope = openWorkload(key, context);
  if (scope === undefined) return done();
  const families = settings.features.IPv6DualStack ? podFamilies(scope.cluster) : undefined;
  return workIn(scope, settings.workloads, condition, async (workload) => {
    await ensure(workload, services, desiredService(), context);
    const found = await findSupervisorAddresses(context, families);
    if (found.type === 'unknown') return found.problem;
    const wanted = desiredEndpoints(found.addresses);
    await ensure(workload, endpoints, wanted, context, (draft) => {
      draft.subsets = wanted.subsets ?? [];
    });
    return undefined;
  });
}

function desiredService(): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...supervisorName },
    spec: { clusterIP: 'None', ports: [{ port: apiServerPort, targetPort: apiServerPort }] },
  };
}

function desiredEndpoints(addresses: readonly string[]): Endpoints {
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { ...supervisorName },
    subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports: [{ port: apiServerPort }] }],
  };
}

async function ensure<T extends KubeObject>(
  workload: WorkloadClient,
  resource: Resource<T>,
  wanted: T,
  { signal }: RequestOptions,
  fill?: (draft: T) => void,
): Promise<void> {
  const key = keyOf(wanted as KubeObject);
  const current = await ifPresent(workload.get(resource, key, { signal }));
  if (current !== undefined) {
    if (fill === undefined) return;
    const after = edit(current as object, (draft) => fill(draft as T));
    await patchObject(workload, resource, current, after as typeof current, { signal });
    return;
  }
  try {
    await workload.create(resource, wanted, { signal });
  } catch (error) {
    // Another pass was first.
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}
