import { ownerClusterOf, reasons } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  done,
  edit,
  FencedError,
  isDeleting,
  type ObjectKey,
  openReconcile,
  type Outcome,
  type ReconcileContext,
  ReconcileError,
  releaseFinalizer,
  retry,
  wait,
} from '@slipway/runtime';
import { type SupervisorCluster, supervisorClusters, vsphereConditions, vsphereFinalizers } from '../../api/index.js';
import { legacyClusterFinalizer } from '../names.js';
import { networkProviderOf } from '../network/index.js';
import type { SupervisorWorld } from '../world.js';
import { type Endpoint, findEndpoint } from './endpoint.js';
import { type FailureDomain, findFailureDomains } from './failure-domains.js';
import { ClusterReport, ownedClusterConditions } from './report.js';
import { ensureResourcePolicy } from './resource-policy.js';
import type { ClusterScope } from './scope.js';

const finalizer = vsphereFinalizers.supervisorCluster;
const { resourcePolicyReady, networkReady, loadBalancerReady, failureDomainsReady } = vsphereConditions;

/** A cluster of a Supervisor: where its machines may go, how they are connected, and where it answers. */
export async function reconcileSupervisorCluster(
  key: ObjectKey,
  context: ReconcileContext,
  world: SupervisorWorld,
): Promise<Outcome> {
  const { sources } = context;
  const vsphereCluster = sources.sourceFor(supervisorClusters).get(key);
  if (vsphereCluster === undefined) return done();
  const cluster = ownerClusterOf(sources, vsphereCluster);
  if (cluster === undefined && !isDeleting(vsphereCluster))
    return wait({ reason: 'WaitingForOwner', message: 'no Cluster owns this VSphereCluster yet' });
  await releaseFinalizer(context, supervisorClusters, vsphereCluster, legacyClusterFinalizer);
  if (!(await openReconcile(context, supervisorClusters, vsphereCluster, { finalizer, cluster }))) return done();
  if (isDeleting(vsphereCluster)) return removeCluster(context, vsphereCluster);
  if (cluster === undefined) return done();
  const { features, networkProvider } = world;
  const provider = networkProviderOf(vsphereCluster, { networkProvider, perCluster: features.ClusterNetworkProvider });
  if (provider === undefined)
    return wait({ reason: 'WaitingForNetworkProvider', message: 'spec.network.provider is not set yet' });
  return provisionCluster({ context, world, cluster, vsphereCluster, features, provider });
}

/** What the cluster owns goes by garbage collection, after its machines are gone. */
async function removeCluster(context: ReconcileContext, vsphereCluster: Frozen<SupervisorCluster>): Promise<Outcome> {
  const report = new ClusterReport(context.clock.now());
  const problem = { reason: reasons.deleting, oldReason: reasons.deleting, severity: 'Info', message: '' } as const;
  for (const type of [resourcePolicyReady, networkReady, loadBalancerReady, failureDomainsReady])
    report.isNotReady(type, problem);
  const told = await write(context, vsphereCluster, report.applyTo(vsphereCluster));
  await releaseFinalizer(context, supervisorClusters, told, finalizer);
  return done();
}

interface Findings {
  failureDomains?: readonly FailureDomain[];
  endpoint?: Endpoint;
}

async function provisionCluster(scope: ClusterScope): Promise<Outcome> {
  const { context, vsphereCluster } = scope;
  const report = new ClusterReport(context.clock.now());
  const findings: Findings = {};
  const outcome = await runPhases(scope, report, findings);
  const after = edit(vsphereCluster, (draft) => {
    const { failureDomains, endpoint } = findings;
    draft.status ??= {};
    if (failureDomains !== undefined) {
      if (failureDomains.length > 0) draft.status.failureDomains = failureDomains.map((domain) => ({ ...domain }));
      else delete draft.status.failureDomains;
    }
    if (endpoint === undefined) return;
    draft.spec = { ...draft.spec, controlPlaneEndpoint: { ...endpoint } };
    draft.status.initialization = { provisioned: true };
  });
  await write(context, vsphereCluster, report.applyTo(after));
  return outcome;
}

interface Phase {
  readonly condition: string;
  readonly oldReason: string;
  readonly run: () => Promise<Outcome>;
}

/** In order, as far as it goes: each builds on what is before it. */
async function runPhases(scope: ClusterScope, report: ClusterReport, findings: Findings): Promise<Outcome> {
  const phases: readonly Phase[] = [
    { condition: failureDomainsReady, oldReason: '', run: () => failureDomainPhase(scope, report, findings) },
    {
      condition: resourcePolicyReady,
      oldReason: 'ResourcePolicyCreationFailed',
      run: () => policyPhase(scope, report),
    },
    { condition: networkReady, oldReason: 'ClusterNetworkProvisionFailed', run: () => networkPhase(scope, report) },
    {
      condition: loadBalancerReady,
      oldReason: 'LoadBalancerCreationFailed',
      run: () => endpointPhase(scope, report, findings),
    },
  ];
  for (const phase of phases) {
    try {
      const outcome = await phase.run();
      if (outcome.type !== 'done') return outcome;
    } catch (error) {
      if (error instanceof FencedError) throw error;
      const cause = error instanceof Error ? error : new Error(String(error), { cause: error });
      const reason = cause instanceof ReconcileError ? cause.reason : reasons.notReady;
      const { condition, oldReason } = phase;
      report.isNotReady(condition, { reason, oldReason, severity: 'Warning', message: cause.message });
      return retry(cause);
    }
  }
  return done();
}

async function failureDomainPhase(scope: ClusterScope, report: ClusterReport, findings: Findings): Promise<Outcome> {
  findings.failureDomains = await findFailureDomains(scope);
  report.isReady(failureDomainsReady);
  return done();
}

async function policyPhase(scope: ClusterScope, report: ClusterReport): Promise<Outcome> {
  await ensureResourcePolicy(scope);
  report.isReady(resourcePolicyReady);
  return done();
}

async function networkPhase(scope: ClusterScope, report: ClusterReport): Promise<Outcome> {
  await scope.provider.ensureNetwork(scope);
  report.isReady(networkReady);
  return done();
}

async function endpointPhase(scope: ClusterScope, report: ClusterReport, findings: Findings): Promise<Outcome> {
  const found = await findEndpoint(scope);
  if (found.type === 'waitingForAddress') {
    const message = 'the VirtualMachineService of the control plane has no address yet';
    const problem = {
      reason: 'WaitingForIP',
      oldReason: 'WaitingForLoadBalancerIP',
      severity: 'Info',
      message,
    } as const;
    report.isNotReady(loadBalancerReady, problem);
    return wait({ reason: problem.reason, message });
  }
  if (found.type === 'waitingForNames') {
    const where = 'spec.kubeadmConfigSpec.clusterConfiguration.apiServer.certSANs of the control plane';
    const message = `add ${found.names.join(' and ')} to ${where}`;
    const reason = 'WaitingForKubeadmControlPlaneSpecReady';
    report.isNotReady(loadBalancerReady, { reason, oldReason: reason, severity: 'Info', message });
    return wait({ reason, message });
  }
  // Nothing is wrong: a control plane machine will bring its address, and its watch will tell.
  if (found.type === 'waitingForMachine')
    return wait({ reason: 'WaitingForControlPlane', message: 'no control plane machine has an address yet' });
  findings.endpoint = found.endpoint;
  if (scope.provider.hasLoadBalancer) report.isReady(loadBalancerReady);
  return done();
}

function write(
  context: ReconcileContext,
  before: Frozen<SupervisorCluster>,
  after: Frozen<SupervisorCluster>,
): Promise<Frozen<SupervisorCluster>> {
  return context.change({
    verb: 'patch',
    resource: supervisorClusters,
    before,
    after,
    ownedConditions: ownedClusterConditions,
    reason: 'StatusUpdated',
    message: 'Updated status',
  });
}
