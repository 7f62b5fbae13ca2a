import type { Condition } from '@slipway/runtime';
import type { Role } from '../objects/index.js';

/** A condition in the tree. Deprecated conditions have a severity. */
export interface ShownCondition
  extends Pick<Condition, 'type' | 'status' | 'reason' | 'message' | 'lastTransitionTime'> {
  readonly severity?: string;
}

/** Replica counters. A counter that is not reported is absent. */
export interface Counters {
  /** Existing and desired replicas, such as `2/3`; `1` for one Machine. */
  readonly replicas?: string;
  readonly available?: number;
  readonly ready?: number;
  readonly upToDate?: number;
}

/**
 * A node in the tree of a cluster: an object, a group of similar objects, or a heading. Plain data, because it is also
 * printed as JSON.
 */
export interface TreeNode {
  readonly apiVersion?: string;
  /** `Workers`, `Other`, `Templates` and `ClusterResourceSets` are headings without an object. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly role?: Role;
  readonly heading?: true;
  /** The names of the objects that this node groups, because they have the same kind and state. */
  readonly group?: readonly string[];
  /** The Kubernetes version. */
  readonly version?: string;
  readonly deleting?: true;
  /** Properties of a virtual machine: `2 CPUs`, `4096 MiB`, `kvm`, `1 boot`. */
  readonly details?: readonly string[];
  readonly counters: Counters;
  /** The summary condition: Available for clusters and objects that manage machines, otherwise Ready. */
  readonly condition?: ShownCondition;
  /** Set on request: all conditions, or only the relevant ones. */
  readonly conditions?: readonly ShownCondition[];
  readonly children: readonly TreeNode[];
}

/** Returns the title of a node: `Machine default/a, v1.35.0`, `3 Machines... (2 CPUs, tcg)` or `Workers`. */
export function nodeTitle(node: TreeNode): string {
  const { kind, namespace, name, group, heading, version, deleting, details = [] } = node;
  const known = details.length === 0 ? '' : ` (${details.join(', ')})`;
  if (group !== undefined) return `${group.length} ${kind}s...${known}`;
  if (heading === true) return kind;
  const place = namespace === '' ? name : `${namespace}/${name}`;
  const title = `${kind} ${place}${version === undefined ? '' : `, ${version}`}${known}`;
  return deleting === true ? `!! DELETED !! ${title}` : title;
}

/** Sorts nodes: templates first, the others by title. */
export function sortNodes(nodes: readonly TreeNode[]): readonly TreeNode[] {
  const place = (node: TreeNode): number => (node.heading === true && node.kind === 'Templates' ? 0 : 1);
  return nodes.toSorted((left, right) => place(left) - place(right) || compare(nodeTitle(left), nodeTitle(right)));
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
