import type { ClusterCache } from '@slipway/cluster-api';
import {
  done,
  type Endpoints,
  endpoints,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  type Service,
  services,
} from '@slipway/runtime';
import { vsphereConditions } from '../../api/index.js';
import type { VSphereFeatures } from '../../feature-gates.js';
import { podFamilies } from '../ip-families.js';
import { apiServerPort } from '../names.js';
import { ensureInWorkload, openWorkload, workIn } from '../workload-scope.js';
import { findSupervisorAddresses } from './supervisor-address.js';

const condition = {
  type: vsphereConditions.serviceDiscoveryReady,
  oldReason: 'SupervisorHeadlessServiceSetupFailed',
};

const cause = {
  reason: 'SupervisorAddressKnown',
  message: 'Published the address of the Supervisor in the workload cluster',
};

/** The name of the Supervisor's Service in workload clusters. */
const supervisorName = { namespace: 'default', name: 'supervisor' };

/** Publishes the Supervisor in the workload cluster: a Service without selector, and its Endpoints. */
export async function reconcileServiceDiscovery(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: { readonly workloads: ClusterCache; readonly features: VSphereFeatures },
): Promise<Outcome> {
  const scope = openWorkload(key, context);
  if (scope === undefined) return done();
  const families = dependencies.features.IPv6DualStack ? podFamilies(scope.cluster) : undefined;
  return workIn(scope, dependencies.workloads, condition, async (workload) => {
    await ensureInWorkload(context, workload, services, desiredService(), cause);
    const found = await findSupervisorAddresses(context, families);
    if (found.type === 'unknown') return found.problem;
    const desired = desiredEndpoints(found.addresses);
    await ensureInWorkload(context, workload, endpoints, desired, cause, (draft) => {
      draft.subsets = desired.subsets ?? [];
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
