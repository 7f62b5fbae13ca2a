import { type ConditionSeverity, keysOfCluster, reasons } from '@slipway/cluster-api';
import type { Frozen, Thawed } from '@slipway/kube';
import type {
  ClusterProgress,
  ClusterScope,
  DeletingClusterScope,
  RemovalProgress,
  ReportedCondition,
} from '@slipway/provider-kit';
import { done, FencedError, keyOf, type Outcome, type ReconcileContext, retry, wait } from '@slipway/runtime';
import {
  type VSphereCluster,
  vsphereConditions,
  vsphereDeploymentZones,
  vsphereMachines,
  vsphereVms,
} from '../../api/index.js';
import type { VimSession } from '../../vim25/index.js';
import { claimSecret, deleteSecret, openSession, outageMessage, type StandBy } from '../credentials/index.js';
import type { VCenterDependencies } from '../dependencies.js';
import { ownerClusterKey } from '../owner-cluster.js';
import { isLoadBalancer } from '../vm/vm-parents.js';
import { ensureModules, NoComputeCluster, observeModuleOwners, supportsModules } from './cluster-modules.js';
import { summarizeZones } from './failure-domains.js';

const { vcenterAvailable, failureDomainsReady, clusterModulesReady } = vsphereConditions;

type Draft = Thawed<Frozen<VSphereCluster>>;
type Scope = ClusterScope<VSphereCluster>;

/** The results of one reconcile of a VSphereCluster. */
class Findings {
  readonly conditions: ReportedCondition[] = [];
  readonly #edits: ((draft: Draft) => void)[] = [];
  isProvisioned = false;

  /** Adds a condition. Its deprecated counterpart has the same reason and severity Error, unless given. */
  report(
    type: string,
    state: Pick<ReportedCondition, 'status' | 'reason' | 'message'>,
    [reason, severity]: readonly [string, ConditionSeverity] = [state.reason, 'Error'],
  ): void {
    this.conditions.push({ type, ...state, v1beta1: { reason, severity } });
  }

  edit(recipe: (draft: Draft) => void): void {
    this.#edits.push(recipe);
  }

  readonly apply = (draft: Draft): void => {
    for (const recipe of this.#edits) recipe(draft);
  };
}

/** Reconciles a VSphereCluster: the connection to vCenter, the failure domains and the cluster modules. */
export async function ensureCluster(
  scope: Scope,
  dependencies: VCenterDependencies,
  standBy: StandBy,
): Promise<ClusterProgress<VSphereCluster>> {
  const { context, infraCluster } = scope;
  const key = keyOf(infraCluster);
  const findings = new Findings();
  let outcome: Outcome;
  try {
    outcome = await provision(scope, dependencies, standBy, findings);
  } catch (error) {
    if (error instanceof FencedError || context.signal.aborted) throw error;
    const cause = error instanceof Error ? error : new Error(String(error), { cause: error });
    outcome = standBy.isAway(key) ? wait({ reason: 'VCenterUnreachable', message: cause.message }) : retry(cause);
  }
  if (outcome.type === 'done') standBy.end(key);
  const { conditions, isProvisioned, apply } = findings;
  return { conditions, isProvisioned, apply, outcome };
}

async function provision(
  scope: Scope,
  dependencies: VCenterDependencies,
  standBy: StandBy,
  findings: Findings,
): Promise<Outcome> {
  const { context } = scope;
  const waiting = findFailureDomains(scope, findings);
  if (waiting !== undefined) return waiting;
  const session = await connect(scope, dependencies, standBy, findings);
  const { about } = await session.soap.content({ signal: context.signal });
  findings.edit((draft) => {
    draft.status = { ...draft.status, vCenterVersion: about.version };
  });
  const modules = await reconcileModules(scope, dependencies, findings, { session, version: about.version });
  findings.isProvisioned = modules.type !== 'retry';
  return modules;
}

/** Publishes zones as soon as they are known, and waits until all of them are validated. */
function findFailureDomains({ context, infraCluster }: Scope, findings: Findings): Outcome | undefined {
  const summary = summarizeZones(infraCluster, context.sources.sourceFor(vsphereDeploymentZones).list());
  if (summary === undefined) return undefined;
  const { domains, unreported, notReady } = summary;
  findings.edit((draft) => {
    draft.status ??= {};
    if (domains.length === 0) delete draft.status.failureDomains;
    else draft.status.failureDomains = domains;
  });
  const isNotReady = (message: string, v1beta1Reason: string): void =>
    findings.report(failureDomainsReady, { status: 'False', reason: reasons.notReady, message }, [
      v1beta1Reason,
      'Info',
    ]);
  if (unreported > 0) {
    const reason = 'WaitingForFailureDomainStatus';
    const message = `${unreported} deployment zones have not reported their status yet`;
    isNotReady(message, reason);
    return wait({ reason, message });
  }
  if (domains.length === 0) return undefined;
  if (notReady > 0) isNotReady(`${notReady} deployment zones are not ready and are skipped`, 'FailureDomainsSkipped');
  else findings.report(failureDomainsReady, { status: 'True', reason: reasons.ready });
  return undefined;
}

async function connect(
  { context, infraCluster }: Scope,
  dependencies: VCenterDependencies,
  standBy: StandBy,
  findings: Findings,
): Promise<VimSession> {
  const { identityRef, server, thumbprint } = infraCluster.spec;
  const key = keyOf(infraCluster);
  try {
    if (identityRef?.kind === 'Secret')
      await claimSecret(context, { namespace: key.namespace, name: identityRef.name }, infraCluster);
    const choice = { server, thumbprint };
    const session = await openSession(context, dependencies, infraCluster, choice, { key, standBy });
    await session.keepAlive();
    findings.report(vcenterAvailable, { status: 'True', reason: reasons.available });
    return session;
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(String(error), { cause: error });
    const message = outageMessage(cause) ?? cause.message;
    findings.report(vcenterAvailable, { status: 'False', reason: 'VCenterUnreachable', message });
    throw error;
  }
}

async function reconcileModules(
  { context, cluster, infraCluster }: Scope,
  dependencies: VCenterDependencies,
  findings: Findings,
  { session, version }: { readonly session: VimSession; readonly version: string },
): Promise<Outcome> {
  if (!dependencies.nodeAntiAffinity || infraCluster.spec.disableClusterModule === true) return done();
  if (!supportsModules(version)) {
    const message = `vCenter ${version} does not support cluster modules, which require 7.0 or later`;
    const state = { status: 'False', reason: 'InvalidVCenterVersion', message } as const;
    findings.report(clusterModulesReady, state, ['VCenterVersionIncompatible', 'Info']);
    return done();
  }
  const owners = await observeModuleOwners(context, cluster);
  const { modules, errors } = await ensureModules(context, dependencies, infraCluster, owners, session);
  findings.edit((draft) => {
    if (modules.length === 0) delete draft.spec.clusterModules;
    else draft.spec.clusterModules = modules;
  });
  if (errors.length === 0) {
    findings.report(clusterModulesReady, { status: 'True', reason: reasons.ready });
    return done();
  }
  const list = errors.map(({ owner, error }) => `${owner} ${error.message}`).join(', ');
  const message = `Failed to create cluster modules for: ${list}`;
  const state = { status: 'False', reason: reasons.notReady, message } as const;
  findings.report(clusterModulesReady, state, ['ClusterModuleSetupFailed', 'Warning']);
  return errors.every(({ error }) => error instanceof NoComputeCluster) ? done() : retry(new Error(message));
}

/**
 * Removes a cluster: waits for its machines, then deletes the cluster modules, and finally the credentials, which both
 * steps require.
 */
export async function removeCluster(
  { context, infraCluster: vsphereCluster }: DeletingClusterScope<VSphereCluster>,
  dependencies: VCenterDependencies,
): Promise<RemovalProgress<VSphereCluster> | undefined> {
  const reason = reasons.deleting;
  const left = whatIsLeft(context, vsphereCluster);
  if (left !== undefined) {
    const message = `Waiting for deletion of ${left}`;
    const types = [vcenterAvailable, failureDomainsReady, clusterModulesReady];
    const conditions = types.map((type) => ({ type, status: 'False', reason }) as const);
    return { reason, message, conditions, outcome: wait({ reason, message }) };
  }
  await removeModules(context, dependencies, vsphereCluster);
  const { identityRef } = vsphereCluster.spec;
  const { namespace = '' } = vsphereCluster.metadata;
  if (identityRef?.kind === 'Secret')
    await deleteSecret(context, { namespace, name: identityRef.name }, vsphereCluster);
  return undefined;
}

/**
 * Returns the objects that still need the credentials: VSphereMachines, or the VSphereVM of a load balancer, which has no
 * VSphereMachine.
 */
function whatIsLeft({ sources }: ReconcileContext, vsphereCluster: Frozen<VSphereCluster>): string | undefined {
  const { namespace, name } = ownerClusterKey(vsphereCluster) ?? keyOf(vsphereCluster);
  const { length } = keysOfCluster(sources, vsphereMachines, { namespace, name });
  if (length > 0) return `${length} VSphereMachines`;
  const vms = sources.sourceFor(vsphereVms);
  const balancer = keysOfCluster(sources, vsphereVms, { namespace, name })
    .flatMap((key) => vms.get(key) ?? [])
    .find(isLoadBalancer);
  return balancer && `VSphereVM ${balancer.metadata.name}`;
}

/** Deletes the cluster modules. Must run while the credentials still exist. */
async function removeModules(
  context: ReconcileContext,
  dependencies: VCenterDependencies,
  vsphereCluster: Frozen<VSphereCluster>,
): Promise<void> {
  if ((vsphereCluster.spec.clusterModules ?? []).length === 0) return;
  const { server, thumbprint } = vsphereCluster.spec;
  const session = await openSession(context, dependencies, vsphereCluster, { server, thumbprint });
  const { errors } = await ensureModules(context, dependencies, vsphereCluster, [], session);
  const [first] = errors;
  if (first !== undefined) throw first.error;
}
