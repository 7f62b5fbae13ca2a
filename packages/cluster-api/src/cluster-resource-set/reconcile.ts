import { type Frozen, type KubeObject, labelSelectorFromObject, SelectorError } from '@slipway/kube';
import {
  done,
  edit,
  FencedError,
  type Index,
  isDeleting,
  keyOf,
  type ObjectKey,
  type Outcome,
  patchObject,
  ReconcileError,
  releaseFinalizer,
  retry,
  type Sources,
  wait,
} from '@slipway/runtime';
import {
  type ClusterResourceSet,
  type ClusterResourceSetBinding,
  clusterResourceSetBindings,
  clusterResourceSets,
  clusters,
  finalizers,
} from '../api/index.js';
import { type ObservedCluster, openReconcile } from '../reconcile/index.js';
import { applyToCluster, type ApplyWorld } from './apply-to-cluster.js';
import { inParallel } from './in-parallel.js';
import { namespaceIndex } from './namespace-index.js';
import { readResources } from './read-resources.js';
import { resourcesAppliedType, type SetProblem, setResourcesApplied } from './set-conditions.js';
import { leaveBinding } from './write-binding.js';

type ObservedSet = Frozen<ClusterResourceSet>;

/** So many clusters are written to at a time. */
const clustersAtOnce = 16;

/** The story of a ClusterResourceSet: which clusters it selects, what it brings, and what it leaves when it goes. */
export async function reconcileClusterResourceSet(key: ObjectKey, world: ApplyWorld): Promise<Outcome> {
  const { context } = world;
  const { sources } = context;
  const set = sources.sourceFor(clusterResourceSets).get(key);
  if (set === undefined) return done();
  if (!(await openReconcile(context, clusterResourceSets, set, { finalizer: finalizers.clusterResourceSet })))
    return done();
  if (isDeleting(set)) return removeSet(world, set);
  const selected = selectClusters(sources, set);
  if ('problem' in selected)
    return finish(world, set, { clusters: [], problems: [selected.problem], error: undefined });
  return finish(world, set, await applySet(world, set, selected.clusters));
}

interface ApplyResult {
  readonly clusters: readonly ObservedCluster[];
  readonly problems: readonly SetProblem[];
  /** What was nobody's doing. */
  readonly error: Error | undefined;
}

async function applySet(
  world: ApplyWorld,
  set: ObservedSet,
  selected: readonly ObservedCluster[],
): Promise<ApplyResult> {
  if (selected.length === 0) return { clusters: selected, problems: [], error: undefined };
  const problems: SetProblem[] = [];
  const errors: Error[] = [];
  try {
    const resources = await readResources(world.context, set);
    for (const resource of resources) {
      if (resource.state === 'wrong-type') problems.push({ kind: 'wrong-secret-type', message: resource.message });
      if (resource.state === 'missing') problems.push({ kind: 'resource-missing', message: resource.message });
    }
    // A Secret of another type stops the whole set: nobody should get half of what its author checks only here.
    if (resources.some(({ state }) => state === 'wrong-type'))
      return { clusters: selected, problems, error: undefined };
    await inParallel(selected, clustersAtOnce, async (cluster) => {
      try {
        problems.push(...(await applyToCluster(world, set, cluster, resources)));
      } catch (error) {
        errors.push(unexpected(error, problems));
      }
    });
  } catch (error) {
    errors.push(unexpected(error, problems));
  }
  const [error] =
    errors.length > 1 ? [new AggregateError(errors, errors.map(({ message }) => message).join('; '))] : errors;
  return { clusters: selected, problems, error };
}

function unexpected(error: unknown, problems: SetProblem[]): Error {
  if (error instanceof FencedError) throw error;
  problems.push({ kind: 'internal', message: '' });
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}

async function finish(world: ApplyWorld, set: ObservedSet, result: ApplyResult): Promise<Outcome> {
  const { client, clock, signal } = world.context;
  const failed = result.error !== undefined || result.problems.some(({ kind }) => kind === 'apply-failed');
  const after: ObservedSet = edit(set, (draft) => {
    setResourcesApplied(draft, result.problems, result.clusters.length, clock.now());
    const { generation } = draft.metadata;
    if (!failed && generation !== undefined) draft.status = { ...draft.status, observedGeneration: generation };
  });
  await patchObject(client, clusterResourceSets, set, after, {
    ownedConditions: [resourcesAppliedType, 'Paused'],
    signal,
  });
  return outcomeOf(result);
}

/** The cache tells when a cluster is connected, but not when its kubeconfig appears and nobody asks. */
const reconnectMs = 60_000;

function outcomeOf({ problems, error }: ApplyResult): Outcome {
  if (error !== undefined) return retry(error);
  const apply = problems.find(({ kind }) => kind === 'apply-failed');
  if (apply !== undefined) return retry(new ReconcileError('NotApplied', apply.message, { retry: 'later' }));
  const [other] = problems;
  if (other === undefined) return done();
  const { message } = other;
  return other.kind === 'not-connected'
    ? wait({ ms: reconnectMs, reason: 'ConnectionDown', message })
    : wait({ reason: 'WaitingForResources', message });
}

type Selected = { readonly clusters: readonly ObservedCluster[] } | { readonly problem: SetProblem };

/** An empty selector selects nothing: a set for every cluster is more often a slip than a wish. */
function selectClusters(sources: Sources, set: ObservedSet): Selected {
  try {
    const selector = labelSelectorFromObject(set.spec.clusterSelector);
    if (selector.empty) return { clusters: [] };
    const inNamespace = sources.sourceFor(clusters).byIndex(namespaceIndex, set.metadata.namespace ?? '');
    return {
      clusters: inNamespace.filter((cluster) => !isDeleting(cluster) && selector.matches(cluster.metadata.labels)),
    };
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    return { problem: { kind: 'selector', message: error.message } };
  }
}

/** Bindings by the sets that stand in them: `namespace/set`. */
export const bindingSetIndex: Index<ClusterResourceSetBinding> = {
  name: 'set',
  valuesOf: ({ metadata, spec }) =>
    (spec.bindings ?? []).map((entry) => `${metadata.namespace ?? ''}/${entry.clusterResourceSetName}`),
};

/** What was applied stays in the clusters; only the notes go. */
async function removeSet({ context }: ApplyWorld, set: ObservedSet): Promise<Outcome> {
  const { client, sources, signal } = context;
  const { namespace, name } = keyOf(set as Frozen<KubeObject>);
  const bindings = sources.sourceFor(clusterResourceSetBindings).byIndex(bindingSetIndex, `${namespace}/${name}`);
  for (const binding of bindings) await leaveBinding(context, set, binding);
  await releaseFinalizer(client, clusterResourceSets, set, finalizers.clusterResourceSet, { signal });
  return done();
}
