import { clusterWatch, labels, workloadClusters } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type Controller,
  type ControllerContext,
  createController,
  InformerFactory,
  type ObjectKey,
  secrets,
  type Sources,
  type Trigger,
  watch,
} from '@slipway/runtime';
import { type ProviderServiceAccount, providerServiceAccounts, supervisorClusters } from '../../api/index.js';
import { onConnection } from '../workload-scope.js';
import { reconcileServiceAccounts } from './reconcile.js';

export function createServiceAccountController(context: ControllerContext): Controller {
  const { sources, concurrency, watchFilter } = context;
  const workloads = workloadClusters(context);
  return createController({
    name: 'providerserviceaccount',
    for: supervisorClusters,
    concurrency,
    filter: watchFilter,
    watches: [clusterWatch(supervisorClusters), watch(providerServiceAccounts, { map: clusterOfAccount })],
    triggers: [onConnection(workloads, sources), onTokens(context)],
    reconcile: (key, reconcileContext) => reconcileServiceAccounts(key, reconcileContext, workloads),
  });
}

function clusterOfAccount({ metadata, spec }: Frozen<ProviderServiceAccount>): ObjectKey[] {
  return [{ namespace: metadata.namespace ?? '', name: spec.ref.name ?? '' }];
}

/** Enqueues clusters when a token is created. The watch is metadata-only, so that tokens are not cached. */
function onTokens({ client, clock, random, logger, namespace, sources }: ControllerContext): Trigger {
  return (enqueue) => {
    const factory = new InformerFactory({ client, clock, random, logger });
    const notify = (secret: Frozen<KubeObject>): void => {
      for (const key of clustersOf(sources, secret)) enqueue(key);
    };
    const options = {
      ...(namespace !== '' && { namespace }),
      labelSelector: labels.clusterName,
      fieldSelector: 'type=kubernetes.io/service-account-token',
    };
    factory.metadataInformer(secrets, options).addHandler({ added: notify, updated: notify, deleted: notify });
    return factory;
  };
}

function clustersOf(sources: Sources, secret: Frozen<KubeObject>): ObjectKey[] {
  const { namespace = '', ownerReferences = [] } = secret.metadata;
  const owner = ownerReferences.find(({ kind }) => kind === providerServiceAccounts.kind);
  const account = sources.sourceFor(providerServiceAccounts).get({ namespace, name: owner?.name ?? '' });
  return account === undefined ? [] : clusterOfAccount(account);
}
