import {
  clusterClasses,
  clusterctlAnnotations,
  clusterResourceSetBindings,
  clusters,
  labels,
} from '@slipway/cluster-api';
import { type Frozen, type KubeObject, parseApiVersion } from '@slipway/kube';
import { hasAnnotation, type Resource } from '@slipway/runtime';

/** A discovered object, and the move labels of its kind. */
export interface FoundObject {
  readonly resource: Resource;
  readonly object: Frozen<KubeObject>;
  /** Set if the CRD has the label `move` (`alone`) or `move-hierarchy` (`withDependents`). */
  readonly kindMoves?: 'alone' | 'withDependents';
}

/** An object in the ownership graph. */
export interface MoveNode extends FoundObject {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** UIDs of the owners, by owner reference or by convention. */
  readonly owners: readonly string[];
  /**
   * Whether the object is cluster-scoped or depends on such an object. It is created if missing, and never changed or deleted.
   */
  readonly isGlobal: boolean;
  /** Whether an object that is not moved uses this one, so that it is copied instead of moved. */
  readonly stays: boolean;
  /** Whether the provider blocks the move with the block-move annotation. */
  readonly isBlocked: boolean;
}

export interface MoveScope {
  /** The namespace to move. Empty for all namespaces. */
  readonly namespace: string;
  /** If set, only this Cluster and its dependencies are moved. */
  readonly cluster?: string;
  /** Clusters that are not moved. ClusterClasses that they use are kept. */
  readonly otherClusters?: readonly Frozen<KubeObject>[];
}

export interface MoveGraph {
  /** The objects by level, owners before their dependents. The order within a level is arbitrary. */
  readonly levels: readonly (readonly MoveNode[])[];
  /** Objects of the namespace that are not moved. */
  readonly left: readonly FoundObject[];
}

/** Kinds whose objects all move, with their dependents. */
const rootKinds: ReadonlySet<string> = new Set([
  'cluster.x-k8s.io/Cluster',
  'cluster.x-k8s.io/ClusterClass',
  'addons.cluster.x-k8s.io/ClusterResourceSet',
]);
const secretPurposes = ['kubeconfig', 'ca', 'etcd', 'proxy', 'sa', 'apiserver-etcd-client'] as const;

interface Draft {
  readonly found: FoundObject;
  readonly uid: string;
  readonly owners: Set<string>;
  readonly isRoot: boolean;
  readonly isForced: boolean;
  moves: boolean;
  isGlobal: boolean;
  stays: boolean;
}

/** Computes which objects move, and in which order. */
export function buildMoveGraph(found: readonly FoundObject[], scope: MoveScope): MoveGraph {
  const drafts = new Map<string, Draft>();
  const isChosen = choose(found, scope);
  for (const each of found) {
    const draft = draftOf(each, isChosen(each.object));
    drafts.set(draft.uid, draft);
  }
  addSoftOwners([...drafts.values()]);
  const dependents = dependentsOf(drafts);
  const descend = (start: Draft, visit: (draft: Draft) => boolean): void => {
    if (!visit(start)) return;
    for (const next of dependents.get(start.uid) ?? []) descend(next, visit);
  };
  for (const draft of drafts.values()) {
    if (draft.isRoot) descend(draft, (each) => isChosen(each.found.object, 'below') && mark(each, 'moves'));
    if (!draft.found.resource.namespaced) descend(draft, (each) => mark(each, 'isGlobal'));
    if (isUsedElsewhere(draft, scope)) descend(draft, (each) => isClassOrTemplate(each) && mark(each, 'stays'));
  }
  const moving = [...drafts.values()].filter(({ moves, isForced }) => moves || isForced);
  const levels = levelsOf(moving).map((level) => level.map(nodeOf));
  return { levels, left: leftBehind([...drafts.values()], scope) };
}

function draftOf(found: FoundObject, isChosen: boolean): Draft {
  const { object, resource, kindMoves } = found;
  const own = object.metadata.labels ?? {};
  const isRootKind = rootKinds.has(`${resource.group}/${resource.kind}`);
  const withDependents = isRootKind || kindMoves === 'withDependents' || labels.clusterctlMoveHierarchy in own;
  return {
    found,
    uid: object.metadata.uid ?? '',
    owners: new Set((object.metadata.ownerReferences ?? []).map(({ uid }) => uid)),
    isRoot: withDependents && isChosen,
    isForced: isChosen && (kindMoves !== undefined || labels.clusterctlMove in own),
    moves: false,
    isGlobal: false,
    stays: false,
  };
}

/**
 * Marks the objects to move. For a single Cluster, the roots are the Cluster, its ClusterClass and objects that all clusters
 * share. No other Cluster moves.
 */
function choose(
  found: readonly FoundObject[],
  { namespace, cluster }: MoveScope,
): (object: Frozen<KubeObject>, where?: 'below') => boolean {
  if (cluster === undefined) return () => true;
  const chosen = found.find(
    ({ object }) => object.kind === clusters.kind && isNamed(object, namespace, cluster),
  )?.object;
  const used = chosen && classOf(chosen);
  return (object, where) => {
    if (object.kind === clusters.kind) return object === chosen;
    if (where === 'below' || object.metadata.namespace === undefined) return true;
    return object.kind === clusterClasses.kind && used !== undefined && isNamed(object, used.namespace, used.name);
  };
}

/** Adds owners that have no owner reference: Secrets by name, the ClusterClass of a Cluster, the Cluster of a binding. */
function addSoftOwners(drafts: readonly Draft[]): void {
  const byKind = (kind: string): Draft[] => drafts.filter(({ found }) => found.resource.kind === kind);
  const clusterDrafts = byKind(clusters.kind);
  const findCluster = (namespace: string, name: string): Draft | undefined =>
    clusterDrafts.find(({ found: { object } }) => isNamed(object, namespace, name));
  for (const secret of byKind('Secret')) {
    if (secret.owners.size > 0) continue;
    const { namespace = '', name = '' } = secret.found.object.metadata;
    const purpose = secretPurposes.find((each) => name.endsWith(`-${each}`));
    if (purpose !== undefined) addOwner(secret, findCluster(namespace, name.slice(0, -purpose.length - 1)));
  }
  for (const binding of byKind(clusterResourceSetBindings.kind)) {
    const { spec } = binding.found.object as { spec?: { clusterName?: string } };
    addOwner(binding, findCluster(binding.found.object.metadata.namespace ?? '', spec?.clusterName ?? ''));
  }
  const classes = byKind(clusterClasses.kind);
  for (const cluster of clusterDrafts) {
    const used = classOf(cluster.found.object);
    addOwner(cluster, used && classes.find(({ found: { object } }) => isNamed(object, used.namespace, used.name)));
  }
}

function addOwner(draft: Draft, owner: Draft | undefined): void {
  if (owner !== undefined) draft.owners.add(owner.uid);
}

function isNamed({ metadata }: Frozen<KubeObject>, namespace: string, name: string): boolean {
  return metadata.name === name && (metadata.namespace ?? '') === namespace;
}

/** Returns the ClusterClass of a Cluster, if any. */
export function classOf(
  cluster: Frozen<KubeObject>,
): { readonly namespace: string; readonly name: string } | undefined {
  const { spec } = cluster as { spec?: { topology?: { classRef?: { name?: string; namespace?: string } } } };
  const reference = spec?.topology?.classRef;
  if (reference?.name === undefined) return undefined;
  const { namespace = '' } = reference;
  return { name: reference.name, namespace: namespace === '' ? (cluster.metadata.namespace ?? '') : namespace };
}

function dependentsOf(drafts: ReadonlyMap<string, Draft>): Map<string, Draft[]> {
  const dependents = new Map<string, Draft[]>();
  for (const draft of drafts.values())
    for (const owner of draft.owners) dependents.set(owner, [...(dependents.get(owner) ?? []), draft]);
  return dependents;
}

/** Marks an object. Returns false if it was already marked: references may form a cycle. */
function mark(draft: Draft, flag: 'moves' | 'isGlobal' | 'stays'): boolean {
  if (draft[flag]) return false;
  draft[flag] = true;
  return true;
}

/** Whether a ClusterClass is in another namespace, or is used by a Cluster that is not moved. */
function isUsedElsewhere({ found: { object, resource } }: Draft, scope: MoveScope): boolean {
  if (resource.kind !== clusterClasses.kind) return false;
  const { namespace = '', name = '' } = object.metadata;
  if (scope.namespace !== '' && namespace !== scope.namespace) return true;
  return (scope.otherClusters ?? []).some((cluster) => {
    const used = classOf(cluster);
    return used !== undefined && used.name === name && used.namespace === namespace;
  });
}

/**
 * Whether the object is a ClusterClass or a template. A Cluster depends on these only by convention, and moves even if they are
 * kept.
 */
function isClassOrTemplate({ found: { resource } }: Draft): boolean {
  return resource.kind === clusterClasses.kind || resource.kind.endsWith('Template');
}

function levelsOf(moving: readonly Draft[]): Draft[][] {
  const open = new Map(moving.map((draft) => [draft.uid, draft]));
  const levels: Draft[][] = [];
  while (open.size > 0) {
    const ready = [...open.values()].filter(({ owners }) => ![...owners].some((owner) => open.has(owner)));
    // A cycle has no root. Its objects are created together, and their owner references are completed afterwards.
    const level = (ready.length > 0 ? ready : [...open.values()]).sort(byName);
    for (const { uid } of level) open.delete(uid);
    levels.push(level);
  }
  return levels;
}

function byName(left: Draft, right: Draft): number {
  return textOf(left) < textOf(right) ? -1 : 1;
}

function textOf({ found: { object } }: Draft): string {
  return `${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
}

function nodeOf({ found, uid, owners, isGlobal, stays }: Draft): MoveNode {
  const { namespace = '', name = '' } = found.object.metadata;
  const isBlocked = hasAnnotation(found.object, clusterctlAnnotations.blockMove);
  return { ...found, uid, namespace, name, owners: [...owners], isGlobal, stays, isBlocked };
}

/** Returns the Cluster API objects in the namespace that no moved object references, for the report. */
function leftBehind(drafts: readonly Draft[], scope: MoveScope): FoundObject[] {
  if (scope.cluster !== undefined) return [];
  return drafts
    .filter(({ moves, isForced, found: { object, resource } }) => {
      const isOurs = scope.namespace === '' || object.metadata.namespace === scope.namespace;
      return !moves && !isForced && isOurs && resource.namespaced && parseApiVersion(object.apiVersion).group !== '';
    })
    .map(({ found }) => found);
}
