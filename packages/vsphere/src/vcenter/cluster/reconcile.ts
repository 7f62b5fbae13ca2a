import { annotations, clusters, keysOfCluster, type ObservedCluster, reasons } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  done,
  FencedError,
  hasAnnotation,
  isDeleting,
  keyOf,
  type ObjectKey,
  openReconcile,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
  retry,
  wait,
} from '@slipway/runtime';
import {
  type VSphereCluster,
  vsphereClusters,
  vsphereDeploymentZones,
  vsphereFinalizers,
  vsphereMachines,
  vsphereVms,
} from '../../api/index.js';
import type { VimSession } from '../../vim25/index.js';
import {
  claimSecret,
  deleteSecret,
  openSession,
  outageMessage,
  type StandBy,
  type Waiter,
} from '../credentials/index.js';
import { ownerClusterKey } from '../owner-cluster.js';
import { isLoadBalancer } from '../vm/vm-parents.js';
import type { VCenterWorld } from '../world.js';
import { ensureModules, NoComputeCluster, observeModuleOwners, supportsModules } from './cluster-modules.js';
import { ClusterReport } from './cluster-report.js';
import { summarizeZones } from './failure-domains.js';

/** A cluster in a vCenter: that the vCenter can be used, which failure domains it has, and what keeps its machines apart. */
export async function reconcileVSphereCluster(
  key: ObjectKey,
  context: ReconcileContext,
  world: VCenterWorld,
  standBy: StandBy,
): Promise<Outcome> {
  const vsphereCluster = context.sources.sourceFor(vsphereClusters).get(key);
  if (vsphereCluster === undefined || hasAnnotation(vsphereCluster, annotations.managedBy)) {
    standBy.end(key);
    return done();
  }
  const owner = ownerClusterKey(vsphereCluster);
  const cluster = owner === undefined ? undefined : context.sources.sourceFor(clusters).get(owner);
  if (cluster === undefined && !isDeleting(vsphereCluster)) {
    return wait({ reason: 'WaitingForOwner', message: 'no Cluster owns this VSphereCluster yet' });
  }
  const finalizer = vsphereFinalizers.vsphereCluster;
  if (!(await openReconcile(context, vsphereClusters, vsphereCluster, { finalizer, cluster }))) return done();
  const report = new ClusterReport(vsphereCluster, context);
  if (isDeleting(vsphereCluster)) return removeCluster(context, world, report);
  const waiter = { key, standBy };
  const outcome = await provision(context, world, report, cluster, waiter).catch((error: unknown) => {
    if (error instanceof FencedError || context.signal.aborted) throw error;
    const cause = error instanceof Error ? error : new Error(String(error), { cause: error });
    return standBy.isAway(key) ? wait({ reason: 'VCenterUnreachable', message: cause.message }) : retry(cause);
  });
  if (outcome.type === 'done') standBy.end(key);
  await report.write();
  return outcome;
}

async function provision(
  context: ReconcileContext,
  world: VCenterWorld,
  report: ClusterReport,
  cluster: ObservedCluster | undefined,
  waiter: Waiter,
): Promise<Outcome> {
  const waiting = reconcileFailureDomains(context, report);
  if (waiting !== undefined) return waiting;
  const session = await connect(context, world, report, waiter);
  const { about } = await session.soap.content({ signal: context.signal });
  report.edit((draft) => {
    draft.status ??= {};
    draft.status.vCenterVersion = about.version;
  });
  const modules = await reconcileModules(context, world, report, cluster, session);
  if (modules.type === 'retry') return modules;
  report.edit((draft) => {
    draft.status ??= {};
    draft.status.initialization = { provisioned: true };
  });
  return modules;
}

/** Zones are published as soon as they are known, and waited for until somebody has looked at all of them. */
function reconcileFailureDomains(context: ReconcileContext, report: ClusterReport): Outcome | undefined {
  const summary = summarizeZones(report.cluster, context.sources.sourceFor(vsphereDeploymentZones).list());
  if (summary === undefined) return undefined;
  const { domains, unreported, notReady } = summary;
  report.edit((draft) => {
    draft.status ??= {};
    if (domains.length === 0) delete draft.status.failureDomains;
    else draft.status.failureDomains = domains;
  });
  if (unreported > 0) {
    const message = `${unreported} of the deployment zones have not reported yet`;
    report.failureDomains({
      status: 'False',
      reason: reasons.notReady,
      message,
      old: ['WaitingForFailureDomainStatus', 'Info'],
    });
    return wait({ reason: 'WaitingForFailureDomainStatus', message });
  }
  if (domains.length === 0) return undefined;
  if (notReady > 0) {
    const message = `${notReady} of the deployment zones are not ready and are left out`;
    report.failureDomains({
      status: 'False',
      reason: reasons.notReady,
      message,
      old: ['FailureDomainsSkipped', 'Info'],
    });
  } else {
    report.failureDomains({ status: 'True', reason: reasons.ready });
  }
  return undefined;
}

async function connect(
  context: ReconcileContext,
  world: VCenterWorld,
  report: ClusterReport,
  waiter: Waiter,
): Promise<VimSession> {
  const { cluster } = report;
  const { identityRef, server, thumbprint } = cluster.spec;
  try {
    if (identityRef?.kind === 'Secret') {
      await claimSecret(context, { namespace: cluster.metadata.namespace ?? '', name: identityRef.name }, cluster);
    }
    const session = await openSession(context, world, cluster, { server, thumbprint }, waiter);
    await session.keepAlive();
    report.vcenter({ status: 'True', reason: reasons.available });
    return session;
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(String(error), { cause: error });
    const message = outageMessage(cause) ?? cause.message;
    report.vcenter({ status: 'False', reason: 'VCenterUnreachable', message });
    throw error;
  }
}

async function reconcileModules(
  context: ReconcileContext,
  world: VCenterWorld,
  report: ClusterReport,
  cluster: ObservedCluster | undefined,
  session: VimSession,
): Promise<Outcome> {
  const { spec, status } = report.cluster;
  if (!world.nodeAntiAffinity || spec.disableClusterModule === true) return done();
  const version = status?.vCenterVersion ?? '';
  if (!supportsModules(version)) {
    const message = `vCenter ${version} is older than 7.0, which brought cluster modules`;
    report.modules({
      status: 'False',
      reason: 'InvalidVCenterVersion',
      message,
      old: ['VCenterVersionIncompatible', 'Info'],
    });
    return done();
  }
  const owners = cluster === undefined ? [] : await observeModuleOwners(context, cluster);
  const { modules, errors } = await ensureModules(context, world, report.cluster, owners, session);
  report.edit((draft) => {
    if (modules.length === 0) delete draft.spec.clusterModules;
    else draft.spec.clusterModules = modules;
  });
  if (errors.length === 0) {
    report.modules({ status: 'True', reason: reasons.ready });
    return done();
  }
  const list = errors.map(({ owner, error }) => `${owner} ${error.message}`).join(', ');
  const message = `Failed to create cluster modules for: ${list}`;
  report.modules({ status: 'False', reason: reasons.notReady, message, old: ['ClusterModuleSetupFailed', 'Warning'] });
  return errors.every(({ error }) => error instanceof NoComputeCluster) ? done() : retry(new Error(message));
}

/** Machines first, then what belongs to the cluster in vCenter, and the credentials for all that last. */
async function removeCluster(context: ReconcileContext, world: VCenterWorld, report: ClusterReport): Promise<Outcome> {
  const { cluster: vsphereCluster } = report;
  report.deleting();
  const left = whatIsLeft(context, vsphereCluster);
  if (left !== undefined) {
    await report.write();
    return wait({ reason: reasons.deleting, message: `${left} still there` });
  }
  await removeModules(context, world, vsphereCluster);
  const { identityRef } = vsphereCluster.spec;
  if (identityRef?.kind === 'Secret') {
    await deleteSecret(
      context,
      { namespace: vsphereCluster.metadata.namespace ?? '', name: identityRef.name },
      vsphereCluster,
    );
  }
  await releaseFinalizer(context, vsphereClusters, vsphereCluster, vsphereFinalizers.vsphereCluster);
  return done();
}

/** What still needs the credentials. The virtual machine of a load balancer has no VSphereMachine. */
function whatIsLeft({ sources }: ReconcileContext, vsphereCluster: Frozen<VSphereCluster>): string | undefined {
  const { namespace, name } = ownerClusterKey(vsphereCluster) ?? keyOf(vsphereCluster);
  const { length } = keysOfCluster(sources, vsphereMachines, { namespace, name });
  if (length > 0) return `${length} VSphereMachines are`;
  const vms = sources.sourceFor(vsphereVms);
  const balancer = keysOfCluster(sources, vsphereVms, { namespace, name })
    .flatMap((key) => vms.get(key) ?? [])
    .find(isLoadBalancer);
  return balancer && `VSphereVM ${balancer.metadata.name} is`;
}

/** While the credentials are still there. */
async function removeModules(
  context: ReconcileContext,
  world: VCenterWorld,
  vsphereCluster: Frozen<VSphereCluster>,
): Promise<void> {
  if ((vsphereCluster.spec.clusterModules ?? []).length === 0) return;
  const { server, thumbprint } = vsphereCluster.spec;
  const session = await openSession(context, world, vsphereCluster, { server, thumbprint });
  const { errors } = await ensureModules(context, world, vsphereCluster, [], session);
  const [first] = errors;
  if (first !== undefined) throw first.error;
}
