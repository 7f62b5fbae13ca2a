import { clusterWatch, type ObservedCluster, openReconcile, ownerClusterOf, type Pausing } from '@slipway/cluster-api';
import type { Frozen, KubeObject, Thawed } from '@slipway/kube';
import {
  type AnyPredicate,
  type Controller,
  type ControllerContext,
  createController,
  done,
  isDeleting,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
  type Resource,
  type Trigger,
  type Watch,
} from '@slipway/runtime';
import type {
  ClusterProgress,
  InfrastructureCluster,
  RemovalProgress,
  ReportedCondition,
  ReportedTypes,
} from './contract.js';
import { report, reportFailure, reportRemoval } from './report.js';
import { waitForOwner } from './wait-for-owner.js';

/** The objects related to one infrastructure cluster. */
export interface ClusterScope<C extends KubeObject> {
  readonly context: ReconcileContext;
  readonly infraCluster: Frozen<C>;
  readonly cluster: ObservedCluster;
  readonly wasProvisioned: boolean;
}

/** The objects related to an infrastructure cluster that is being deleted. The Cluster may already be deleted. */
export interface DeletingClusterScope<C extends KubeObject> {
  readonly context: ReconcileContext;
  readonly infraCluster: Frozen<C>;
  readonly cluster: ObservedCluster | undefined;
}

/** The provider-specific part of the cluster contract. The kit implements the rest. */
export interface InfrastructureClusterDefinition<C extends InfrastructureCluster> {
  /** Name of the controller in logs and metrics. */
  readonly name: string;
  readonly resource: Resource<C>;
  readonly finalizer: string;
  readonly conditions: ReportedTypes;
  /** Filters changes of the owning Cluster. By default all changes pass. */
  readonly clusterFilter?: AnyPredicate;
  readonly watches?: readonly Watch[];
  readonly triggers?: readonly Trigger[];
  readonly pausedBy?: (infraCluster: Frozen<C>, cluster: ObservedCluster | undefined) => Pausing | undefined;
  /** Whether another tool manages the object (`cluster.x-k8s.io/managed-by`). */
  readonly ignores?: (infraCluster: Frozen<C>) => boolean;
  /**
   * Called when the object disappeared without a deletion by this controller, because it was moved to another management cluster.
   */
  readonly forget?: (key: ObjectKey, context: ReconcileContext) => Promise<void>;
  /** Advances the shared infrastructure by one step and reports its state. Must be idempotent and safe to interrupt. */
  ensure(scope: ClusterScope<C>): Promise<ClusterProgress<C>>;
  /**
   * Advances the deletion. Returns undefined once all resources of the cluster are deleted. Cluster API deletes the
   * machines first.
   */
  remove(scope: DeletingClusterScope<C>): Promise<RemovalProgress<C> | undefined>;
  readonly describeFailure?: (error: unknown, wasProvisioned: boolean) => readonly ReportedCondition[] | undefined;
  readonly mirror?: (draft: Thawed<Frozen<C>>, reported: readonly ReportedCondition[], nowMs: number) => void;
}

/** Defines a controller for infrastructure clusters: owner, pause, finalizer, provision, endpoint, report, delete. */
export function defineInfrastructureCluster<C extends InfrastructureCluster>(
  definition: InfrastructureClusterDefinition<C>,
  { concurrency, watchFilter }: Pick<ControllerContext, 'concurrency' | 'watchFilter'>,
): Controller {
  const { name, resource, clusterFilter, watches = [], triggers = [] } = definition;
  return createController({
    name,
    for: resource,
    concurrency,
    filter: watchFilter,
    watches: [clusterWatch(resource, clusterFilter), ...watches],
    triggers,
    reconcile: (key, context) => reconcileCluster(definition, key, context),
  });
}

async function reconcileCluster<C extends InfrastructureCluster>(
  definition: InfrastructureClusterDefinition<C>,
  key: ObjectKey,
  context: ReconcileContext,
): Promise<Outcome> {
  const { resource, finalizer, pausedBy, ignores, forget } = definition;
  const infraCluster = context.sources.sourceFor(resource).get(key);
  if (infraCluster === undefined) {
    await forget?.(key, context);
    return done();
  }
  if (ignores?.(infraCluster) === true) return done();
  const plain: Frozen<KubeObject> = infraCluster;
  const cluster = ownerClusterOf(context.sources, plain);
  const deleting = isDeleting(plain);
  if (cluster === undefined && !deleting) return waitForOwner(context, definition, infraCluster, 'Cluster');
  const opening = { finalizer, cluster: pausedBy?.(infraCluster, cluster) ?? cluster };
  if (!(await openReconcile(context, resource, infraCluster, opening))) return done();
  if (deleting || cluster === undefined) return removeCluster(definition, { context, infraCluster, cluster });
  const { status } = infraCluster as Frozen<InfrastructureCluster>;
  const wasProvisioned = status?.initialization?.provisioned === true;
  return provisionCluster(definition, { context, infraCluster, cluster, wasProvisioned });
}

async function provisionCluster<C extends InfrastructureCluster>(
  definition: InfrastructureClusterDefinition<C>,
  scope: ClusterScope<C>,
): Promise<Outcome> {
  const { context, infraCluster, wasProvisioned } = scope;
  let progress: ClusterProgress<C>;
  try {
    progress = await definition.ensure(scope);
  } catch (error) {
    return reportFailure(context, definition, infraCluster, error, { wasProvisioned });
  }
  const record = (draft: Thawed<Frozen<C>>): void => {
    recordProgress(draft as unknown as InfrastructureCluster, progress);
    progress.apply?.(draft);
  };
  await report(context, definition, infraCluster, progress.conditions, record, progress.cause);
  return progress.outcome;
}

function recordProgress<C extends KubeObject>(
  draft: InfrastructureCluster,
  { endpoint, isProvisioned, failureDomains }: ClusterProgress<C>,
): void {
  if (endpoint !== undefined) {
    draft.spec ??= {};
    draft.spec.controlPlaneEndpoint ??= {};
    draft.spec.controlPlaneEndpoint.host ??= endpoint.host;
    draft.spec.controlPlaneEndpoint.port ??= endpoint.port;
  }
  draft.status ??= {};
  if (isProvisioned) draft.status.initialization = { provisioned: true };
  if (failureDomains !== undefined && failureDomains.length > 0)
    draft.status.failureDomains = failureDomains.map((domain) => ({ ...domain }));
}

async function removeCluster<C extends InfrastructureCluster>(
  definition: InfrastructureClusterDefinition<C>,
  scope: DeletingClusterScope<C>,
): Promise<Outcome> {
  const { context, infraCluster } = scope;
  const left = await definition.remove(scope);
  if (left !== undefined) {
    await reportRemoval(context, definition, infraCluster, left);
    return left.outcome;
  }
  await releaseFinalizer(context, definition.resource, infraCluster, definition.finalizer);
  return done();
}
