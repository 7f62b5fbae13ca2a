import {
  type ObjectRef,
  type ObjectSet,
  type Observed,
  referenceAt,
  referencesOf,
  refOf,
  relatedTo,
} from '@slipway/insight';
import { refKey } from '../model/cluster.js';
import type { GraphEdge, GraphNode, GraphObject, GraphRole, GraphView } from '../model/graph.js';
import { mainCondition, toneOf } from './tones.js';

/** Kinds that are not drawn: clusters share them, or they only bind other objects to a cluster. */
const leftOut = new Set(['Namespace', 'ClusterResourceSetBinding']);

/**
 * Returns the graph of owner references and object references. The objects of one machine are one node. Templates are separate
 * nodes.
 */
export function graphOf(set: ObjectSet, cluster: Observed, blocked: ReadonlySet<string> = new Set()): GraphView {
  const parts = new Map([...secretsOfOwners(set, cluster), ...partsOfMachines(set, cluster)]);
  const hidden = new Set([...parts.values()].flatMap((own) => Object.values(own).map((part) => refKey(part.ref))));
  const related = relatedTo(set, cluster);
  const nodes: Record<string, GraphNode> = {};
  for (const object of set.objects) {
    const ref = refOf(object);
    const key = refKey(ref);
    if (leftOut.has(object.kind) || hidden.has(key) || !related.has(object)) continue;
    const own = parts.get(key);
    nodes[key] = {
      ...drawn(object),
      ...(blocked.has(key) && { tone: 'bad' as const }),
      role: roleOf(object, cluster),
      parent: parentOf(set, object, cluster),
      ...(own && { parts: own }),
    };
  }
  return { nodes, edges: edgesOf(set, nodes) };
}

function drawn(object: Observed): GraphObject {
  const condition = mainCondition(object);
  const text = condition === undefined ? '' : `${condition.type}: ${condition.status} ${condition.reason}`.trim();
  return { ref: refOf(object), tone: toneOf(object), text };
}

function roleOf(object: Observed, cluster: Observed): GraphRole {
  if (object === cluster) return 'cluster';
  if (object.kind.endsWith('Template') || object.kind === 'ClusterClass') return 'template';
  if (object.kind === 'Machine') return 'machine';
  return object.kind === 'MachineSet' ? 'set' : 'part';
}

function parentOf(set: ObjectSet, object: Observed, cluster: Observed): string {
  if (object === cluster) return '';
  const owners = object.metadata.ownerReferences ?? [];
  const owner = set.byUid((owners.find(({ controller }) => controller === true) ?? owners[0])?.uid);
  return refKey(refOf(owner ?? cluster));
}

type Parts = Readonly<Record<string, GraphObject>>;

/**
 * Returns the Secrets by owner. They are drawn in the node of their owner: a control plane has five, which would fill most of the
 * graph.
 */
function secretsOfOwners(set: ObjectSet, cluster: Observed): Map<string, Parts> {
  const related = relatedTo(set, cluster);
  const found = new Map<string, Parts>();
  for (const secret of set.ofKind('Secret')) {
    const owner = set.byUid(secret.metadata.ownerReferences?.[0]?.uid);
    if (owner === undefined || !related.has(secret) || owner.kind === 'ClusterResourceSet') continue;
    const key = refKey(refOf(owner));
    const { name = '' } = secret.metadata;
    const short = name.startsWith(`${cluster.metadata.name}-`)
      ? name.slice((cluster.metadata.name ?? '').length + 1)
      : name;
    found.set(key, { ...found.get(key), [short]: drawn(secret) });
  }
  return found;
}

/**
 * Returns the parts of each Machine: its infrastructure, bootstrap config and bootstrap data are drawn in the node of the
 * Machine.
 */
function partsOfMachines(set: ObjectSet, cluster: Observed): Map<string, Parts> {
  const related = relatedTo(set, cluster);
  const found = new Map<string, Parts>();
  for (const machine of set.ofKind('Machine')) {
    if (!related.has(machine)) continue;
    const bootstrap = behind(set, referenceAt(machine, 'spec.bootstrap.configRef'));
    const infrastructure = behind(set, referenceAt(machine, 'spec.infrastructureRef'));
    const data = bootstrap && set.ownedBy(bootstrap).find(({ kind }) => kind === 'Secret');
    found.set(refKey(refOf(machine)), {
      ...(infrastructure && { infra: drawn(infrastructure) }),
      ...(bootstrap && { boot: drawn(bootstrap) }),
      ...(data && { data: drawn(data) }),
    });
  }
  return found;
}

function behind(set: ObjectSet, ref: ObjectRef | undefined): Observed | undefined {
  return ref && set.get(ref);
}

function edgesOf(set: ObjectSet, nodes: Readonly<Record<string, GraphNode>>): Record<string, GraphEdge> {
  const edges: Record<string, GraphEdge> = {};
  const add = (from: string, to: string, kind: GraphEdge['kind']): void => {
    const key = `${from} ${to}`;
    if (from === to || nodes[from] === undefined || nodes[to] === undefined || edges[key] !== undefined) return;
    edges[key] = { from, to, kind };
  };
  for (const object of set.objects) {
    const key = refKey(refOf(object));
    for (const { uid, controller } of object.metadata.ownerReferences ?? []) {
      const owner = set.byUid(uid);
      if (owner !== undefined) add(refKey(refOf(owner)), key, controller === true ? 'controls' : 'owns');
    }
  }
  for (const object of set.objects) {
    const key = refKey(refOf(object));
    // Skip references to the Cluster: every object has one, and these edges would hide all others.
    for (const { target, field } of referencesOf(object))
      if (field.to !== 'Cluster') add(key, refKey(target), 'refers');
  }
  return edges;
}
