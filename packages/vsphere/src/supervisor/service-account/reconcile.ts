import { type ClusterCache, ClusterDisconnected, isPaused, type WorkloadCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  done,
  edit,
  isDeleting,
  type Index,
  keyText,
  namespaces,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  ReconcileError,
  type Secret,
  secrets,
} from '@slipway/runtime';
import { type ProviderServiceAccount, providerServiceAccounts, vsphereConditions } from '../../api/index.js';
import { ensureInWorkload, openWorkload, workIn, type WorkloadScope } from '../workload-scope.js';
import { ensureAccount } from './ensure-account.js';

const condition = {
  type: vsphereConditions.providerServiceAccountsReady,
  oldReason: 'ProviderServiceAccountsReconciliationFailed',
};

/**
 * Indexes accounts by the VSphereCluster that they refer to. It is in their own namespace: the namespace of the reference is
 * ignored.
 */
const accountsByCluster: Index<ProviderServiceAccount> = {
  name: 'accounts by cluster',
  valuesOf: ({ metadata, spec }) => [keyText({ namespace: metadata.namespace ?? '', name: spec.ref.name ?? '' })],
};

/**
 * Reconciles all accounts of a cluster: grants permissions in the Supervisor, and copies tokens to the workload
 * cluster.
 */
export async function reconcileServiceAccounts(
  key: ObjectKey,
  context: ReconcileContext,
  workloads: ClusterCache,
): Promise<Outcome> {
  const scope = openWorkload(key, context);
  if (scope === undefined) return done();
  const accounts = context.sources
    .sourceFor(providerServiceAccounts)
    .byIndex(accountsByCluster, keyText(key))
    .filter((account) => !isDeleting(account) && !isPaused(account))
    .toSorted((left, right) => ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1));
  if (accounts.length === 0) return done();
  return workIn(scope, workloads, condition, async (workload) => {
    // Stop at the first failure, which usually affects all accounts.
    for (const account of accounts) {
      const problem = await handOver(scope, account, workload);
      if (problem !== undefined) return problem;
    }
    return undefined;
  });
}

async function handOver(
  scope: WorkloadScope,
  account: Frozen<ProviderServiceAccount>,
  workload: WorkloadCluster,
): Promise<string | undefined> {
  const { context, clusterKey } = scope;
  const { name = '' } = account.metadata;
  try {
    const data = await ensureAccount(context, account, clusterKey.name);
    if (data === undefined) {
      const problem = `Waiting for the token of ProviderServiceAccount ${name}`;
      await report(context, account, problem);
      return problem;
    }
    await deliverToken(context, workload, account, data);
    await report(context, account, undefined);
    return undefined;
  } catch (error) {
    if (error instanceof ClusterDisconnected) throw error;
    const message = `ProviderServiceAccount ${name}: ${(error as Error).message}`;
    await report(context, account, message);
    throw new ReconcileError('NotReady', message, { retry: 'later', cause: error });
  }
}

/** Writes the token to the Secret that the component of the workload cluster reads. */
async function deliverToken(
  context: ReconcileContext,
  workload: WorkloadCluster,
  account: Frozen<ProviderServiceAccount>,
  data: Readonly<Record<string, string>>,
): Promise<void> {
  const { targetNamespace: namespace, targetSecretName: name } = account.spec;
  const cause = {
    reason: 'TokenAvailable',
    message: `Delivered the token of ProviderServiceAccount ${account.metadata.name ?? ''} to Secret ${namespace}/${name}`,
  };
  const parent = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } } as const;
  await ensureInWorkload(context, workload, namespaces, parent, cause);
  const desired: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name },
    type: 'Opaque',
    data: { ...data },
  };
  await ensureInWorkload(context, workload, secrets, desired, cause, (draft) => {
    draft.data = { ...data };
  });
}

async function report(
  context: ReconcileContext,
  account: Frozen<ProviderServiceAccount>,
  problem: string | undefined,
): Promise<void> {
  const after = edit(account, (draft) => {
    draft.status = problem === undefined ? { ready: true } : { ready: false, errorMsg: problem };
  });
  await context.change({
    verb: 'status',
    resource: providerServiceAccounts,
    before: account,
    after,
    reason: problem === undefined ? 'Ready' : 'NotReady',
    message: problem ?? 'The token was delivered to the workload cluster',
  });
}
