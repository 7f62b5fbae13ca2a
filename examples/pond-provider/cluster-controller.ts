import { clusterWatch, ownerClusterOf, reasons } from '@slipway/cluster-api';
import {
  type ConditionTarget,
  type Controller,
  type ControllerContext,
  createController,
  done,
  edit,
  isDeleting,
  type ObjectKey,
  openReconcile,
  type Outcome,
  patchObject,
  type ReconcileContext,
  releaseFinalizer,
  setCondition,
  wait,
} from '@slipway/runtime';
import { pondClusters } from './kinds.js';

const finalizer = 'pondcluster.infrastructure.cluster.x-k8s.io';
/** Every control plane on the pond is reached at the jetty. */
const jetty = { host: '192.0.2.254', port: 6443 };

export function createPondClusterController({ concurrency, watchFilter }: ControllerContext): Controller {
  return createController({
    name: 'pondcluster',
    for: pondClusters,
    concurrency,
    filter: watchFilter,
    watches: [clusterWatch(pondClusters)],
    reconcile: reconcilePondCluster,
  });
}

/** Says where the control plane is to answer. There is nothing else to a pond. */
async function reconcilePondCluster(key: ObjectKey, context: ReconcileContext): Promise<Outcome> {
  const { sources, client, clock, signal } = context;
  const pond = sources.sourceFor(pondClusters).get(key);
  if (pond === undefined) return done();
  const cluster = ownerClusterOf(sources, pond);
  if (cluster === undefined && !isDeleting(pond))
    return wait({ reason: 'WaitingForOwner', message: 'no Cluster owns this PondCluster yet' });
  if (!(await openReconcile(context, pondClusters, pond, { finalizer, cluster }))) return done();
  if (isDeleting(pond)) {
    await releaseFinalizer(context, pondClusters, pond, finalizer);
    return done();
  }
  const after = edit(pond, (draft) => {
    draft.spec ??= {};
    draft.spec.controlPlaneEndpoint ??= jetty;
    draft.status ??= {};
    draft.status.initialization = { provisioned: true };
    setCondition(draft as ConditionTarget, { type: 'Ready', status: 'True', reason: reasons.ready }, clock.now());
  });
  await patchObject(client, pondClusters, pond, after, { ownedConditions: ['Ready'], signal });
  return done();
}
