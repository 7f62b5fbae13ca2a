import { type Frozen, type KubeObject, labelSelectorFromObject, SelectorError } from '@slipway/kube';
import {
  done,
  edit,
  FencedError,
  type AnyIndex,
  type Index,
  isDeleting,
  keyOf,
  type ObjectKey,
  type Outcome,
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
import { type ObservedCluster } from '../reconcile/index.js';
import { openReconcile } from '../toolkit/index.js';
import { type ApplyScope, applyToCluster } from './apply-to-cluster.js';
import { type ReadResource, readResources } from './read-resources.js';
import { resourcesAppliedType, type SetProblem, setResourcesApplied } from './set-conditions.js';
import type { SetProgress } from './set-progress.js';
import { leaveBinding } from './write-binding.js';

type ObservedSet = Frozen<ClusterResourceSet>;

/** Number of clusters that are written to concurrently. */
const clustersAtOnce = 16;

export interface SetScope extends ApplyScope {
  readonly progress: SetProgress;
}

/** Applies a ClusterResourceSet to the clusters that it selects, and cleans up its bindings when it is deleted. */
export async function reconcileClusterResourceSet(key: ObjectKey, scope: SetScope): Promise<Outcome> {
  const { context, progress } = scope;
  const set = context.sources.sourceFor(clusterResourceSets).get(key);
  if (set === undefined) progress.forget(key);
  if (set === undefined) return done();
  if (!(await openReconcile(context, clusterResourceSets, set, { finalizer: finalizers.clusterResourceSet })))
    return done();
  if (isDeleting(set)) return removeSet(scope, set);
  try {
    return await finish(scope, set, await applySet(scope, set));
  } catch (error) {
    // After a failure it is unknown which clusters were updated. The next reconcile checks all of them.
    progress.forget(key);
    throw error;
  }
}

interface ApplyResult {
  /** Number of clusters that the set selects. */
  readonly count: number;
  readonly problems: readonly SetProblem[];
  /** Delay until clusters that could not be reached are retried, in milliseconds. */
  readonly againMs: number;
  /** An unexpected error. */
  readonly error?: Error | undefined;
}

async function applySet(scope: SetScope, set: ObservedSet): Promise<ApplyResult> {
  const { context, progress } = scope;
  const key = keyOf(set);
  const selection = selectionOf(context.sources, set);
  if ('problem' in selection) return { count: 0, problems: [selection.problem], againMs: 0 };
  if (!progress.isKnown(key) && selection.all().length === 0) return { count: 0, problems: [], againMs: 0 };
  const resources = await readResources(context, set);
  await context.changeAll(resources.flatMap(({ adoption }) => adoption ?? []));
  const own = resources.flatMap(problemsOf);
  // A Secret of an unsupported type blocks the whole set, so that no cluster gets only some of the resources.
  if (own.some(({ kind }) => kind === 'wrong-secret-type')) {
    progress.forget(key);
    return { count: 1, problems: own, againMs: 0 };
  }
  const due = progress.due(key, signatureOf(set, resources));
  const names = due === 'all' ? selection.all().map(({ metadata }) => metadata.name ?? '') : [...due];
  const errors: Error[] = [];
  await inParallel(names, clustersAtOnce, async (name) => {
    const cluster = selection.named(name);
    try {
      const problems = cluster === undefined ? undefined : await applyToCluster(scope, set, cluster, resources);
      progress.note(key, name, problems);
    } catch (error) {
      if (error instanceof FencedError) throw error;
      progress.note(key, name, [{ kind: 'internal', message: '' }]);
      errors.push(error instanceof Error ? error : new Error(String(error), { cause: error }));
    }
  });
  const { count, problems, againMs } = progress.result(key);
  return { count, problems: [...own, ...problems], againMs, error: joined(errors) };
}

function problemsOf(resource: ReadResource): SetProblem[] {
  if (resource.state === 'wrong-type') return [{ kind: 'wrong-secret-type', message: resource.message }];
  return resource.state === 'missing' ? [{ kind: 'resource-missing', message: resource.message }] : [];
}

/** Returns a string that changes whenever all clusters must be checked again. */
function signatureOf({ metadata }: ObservedSet, resources: readonly ReadResource[]): string {
  const states = resources.map((resource) => (resource.state === 'ready' ? resource.payload.hash : resource.message));
  return JSON.stringify([metadata.uid, metadata.generation, states]);
}

function joined(errors: readonly Error[]): Error | undefined {
  const [first, second] = errors;
  return second === undefined ? first : new AggregateError(errors, errors.map(({ message }) => message).join('; '));
}

async function finish(scope: SetScope, set: ObservedSet, result: ApplyResult): Promise<Outcome> {
  const { context } = scope;
  const failed = result.error !== undefined || result.problems.some(({ kind }) => kind === 'apply-failed');
  const after: ObservedSet = edit(set, (draft) => {
    setResourcesApplied(draft, result.problems, result.count, context.clock.now());
    const { generation } = draft.metadata;
    if (!failed && generation !== undefined) draft.status = { ...draft.status, observedGeneration: generation };
  });
  await context.change({
    verb: 'status',
    resource: clusterResourceSets,
    before: set,
    after,
    ownedConditions: [resourcesAppliedType, 'Paused'],
    reason: 'StatusUpdated',
    message: 'Updated status',
  });
  return outcomeOf(result);
}

function outcomeOf({ problems, error, againMs }: ApplyResult): Outcome {
  if (error !== undefined) return retry(error);
  const apply = problems.find(({ kind }) => kind === 'apply-failed');
  if (apply !== undefined) return retry(new ReconcileError('NotApplied', apply.message, { retry: 'later' }));
  const down = problems.find(({ kind }) => kind === 'not-connected');
  if (down !== undefined) return wait({ ms: againMs, reason: 'ConnectionDown', message: down.message });
  const [other] = problems;
  return other === undefined ? done() : wait({ reason: 'WaitingForResources', message: other.message });
}

/** Runs `work` for every item, at most `limit` concurrently. Rejects with the first failure, after running items have ended. */
async function inParallel<T>(items: readonly T[], limit: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let item = items[next]; next < items.length; item = items[next]) {
      next += 1;
      await work(item as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}

/** Indexes objects by their namespace. */
export const namespaceIndex: AnyIndex = {
  name: 'sets and clusters by namespace',
  valuesOf: (object) => [object.metadata.namespace ?? ''],
};

interface Selection {
  /** Returns all selected clusters. */
  all(): readonly ObservedCluster[];
  /** Returns the cluster of this name, if it is selected. */
  named(name: string): ObservedCluster | undefined;
}

/**
 * Returns the clusters that the set selects. An empty selector selects none: applying a set to every cluster is rarely intended.
 */
function selectionOf(sources: Sources, set: ObservedSet): Selection | { readonly problem: SetProblem } {
  const namespace = set.metadata.namespace ?? '';
  const source = sources.sourceFor(clusters);
  try {
    const selector = labelSelectorFromObject(set.spec.clusterSelector);
    const selects = (cluster: ObservedCluster): boolean =>
      !selector.empty && !isDeleting(cluster) && selector.matches(cluster.metadata.labels);
    return {
      all: () => source.byIndex(namespaceIndex, namespace).filter(selects),
      named: (name) => {
        const cluster = source.get({ namespace, name });
        return cluster !== undefined && selects(cluster) ? cluster : undefined;
      },
    };
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    return { problem: { kind: 'selector', message: error.message } };
  }
}

/** Indexes bindings by the sets they list: `namespace/set`. */
const bindingSetIndex: Index<ClusterResourceSetBinding> = {
  name: 'set',
  valuesOf: ({ metadata, spec }) =>
    (spec.bindings ?? []).map((entry) => `${metadata.namespace ?? ''}/${entry.clusterResourceSetName}`),
};

/** Removes the set from its bindings. The applied objects remain in the clusters. */
async function removeSet({ context }: ApplyScope, set: ObservedSet): Promise<Outcome> {
  const { sources } = context;
  const { namespace, name } = keyOf(set as Frozen<KubeObject>);
  const bindings = sources.sourceFor(clusterResourceSetBindings).byIndex(bindingSetIndex, `${namespace}/${name}`);
  for (const binding of bindings) await leaveBinding(context, set, binding);
  await releaseFinalizer(context, clusterResourceSets, set, finalizers.clusterResourceSet);
  return done();
}
