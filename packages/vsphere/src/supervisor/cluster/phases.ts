import { reasons } from '@slipway/cluster-api';
import type { ClusterProgress, ReportedCondition } from '@slipway/provider-kit';
import { done, FencedError, type Outcome, ReconcileError, retry, wait } from '@slipway/runtime';
import { type SupervisorCluster, vsphereConditions } from '../../api/index.js';
import { type Endpoint, type EndpointResult, findEndpoint } from './endpoint.js';
import { type FailureDomain, findFailureDomains } from './failure-domains.js';
import { ensureResourcePolicy } from './resource-policy.js';
import type { ClusterScope } from './scope.js';

const { resourcePolicyReady, networkReady, loadBalancerReady, failureDomainsReady } = vsphereConditions;

interface Findings {
  readonly conditions: ReportedCondition[];
  failureDomains?: readonly FailureDomain[];
  endpoint?: Endpoint;
}

interface Phase {
  readonly type: string;
  /** The reason of a failure in the deprecated v1beta1 condition. */
  readonly v1beta1Reason?: string;
  readonly run: (scope: ClusterScope, findings: Findings) => Promise<Outcome>;
}

/** Phases in order: each phase requires the previous ones. */
const phases: readonly Phase[] = [
  {
    type: failureDomainsReady,
    async run(scope, findings) {
      findings.failureDomains = await findFailureDomains(scope);
      return isReady(findings, failureDomainsReady);
    },
  },
  {
    type: resourcePolicyReady,
    v1beta1Reason: 'ResourcePolicyCreationFailed',
    async run(scope, findings) {
      await ensureResourcePolicy(scope);
      return isReady(findings, resourcePolicyReady);
    },
  },
  {
    type: networkReady,
    v1beta1Reason: 'ClusterNetworkProvisionFailed',
    async run(scope, findings) {
      await scope.provider.ensureNetwork(scope);
      return isReady(findings, networkReady);
    },
  },
  {
    type: loadBalancerReady,
    v1beta1Reason: 'LoadBalancerCreationFailed',
    run: async (scope, findings) => recordEndpoint(scope, findings, await findEndpoint(scope)),
  },
];

/** Runs the phases in order, until one fails or waits. */
export async function runPhases(scope: ClusterScope): Promise<ClusterProgress<SupervisorCluster>> {
  const findings: Findings = { conditions: [] };
  const outcome = await runInOrder(scope, findings);
  const { conditions, failureDomains, endpoint } = findings;
  return {
    conditions,
    isProvisioned: endpoint !== undefined,
    outcome,
    apply(draft) {
      draft.status ??= {};
      if (failureDomains !== undefined && failureDomains.length > 0)
        draft.status.failureDomains = failureDomains.map((domain) => ({ ...domain }));
      else if (failureDomains !== undefined) delete draft.status.failureDomains;
      // The endpoint of the Cluster replaces an endpoint that was previously set on the VSphereCluster.
      if (endpoint !== undefined) draft.spec = { ...draft.spec, controlPlaneEndpoint: { ...endpoint } };
    },
  };
}

async function runInOrder(scope: ClusterScope, findings: Findings): Promise<Outcome> {
  for (const { type, v1beta1Reason, run } of phases) {
    try {
      const outcome = await run(scope, findings);
      if (outcome.type !== 'done') return outcome;
    } catch (error) {
      if (error instanceof FencedError) throw error;
      const cause = error instanceof Error ? error : new Error(String(error), { cause: error });
      const reason = cause instanceof ReconcileError ? cause.reason : reasons.notReady;
      const v1beta1 = { severity: 'Warning', ...(v1beta1Reason !== undefined && { reason: v1beta1Reason }) } as const;
      findings.conditions.push({ type, status: 'False', reason, message: cause.message, v1beta1 });
      return retry(cause);
    }
  }
  return done();
}

function isReady({ conditions }: Findings, type: string): Outcome {
  conditions.push({ type, status: 'True', reason: reasons.ready, message: '' });
  return done();
}

function recordEndpoint({ provider }: ClusterScope, findings: Findings, found: EndpointResult): Outcome {
  const waitFor = (reason: string, message: string, v1beta1: ReportedCondition['v1beta1'] = {}): Outcome => {
    findings.conditions.push({ type: loadBalancerReady, status: 'False', reason, message, v1beta1 });
    return wait({ reason, message });
  };
  switch (found.type) {
    case 'waitingForAddress':
      return waitFor('WaitingForIP', 'Waiting for the VirtualMachineService of the control plane to get an address', {
        reason: 'WaitingForLoadBalancerIP',
      });
    case 'waitingForNames': {
      const where = 'spec.kubeadmConfigSpec.clusterConfiguration.apiServer.certSANs of the control plane';
      return waitFor('WaitingForKubeadmControlPlaneSpecReady', `add ${found.names.join(' and ')} to ${where}`);
    }
    // No condition: the address of a control plane machine becomes the endpoint, and its watch wakes the controller.
    case 'waitingForMachine':
      return wait({
        reason: 'WaitingForControlPlane',
        message: 'Waiting for a control plane machine to get an address',
      });
    case 'known':
      findings.endpoint = found.endpoint;
      return provider.hasLoadBalancer ? isReady(findings, loadBalancerReady) : done();
  }
}
