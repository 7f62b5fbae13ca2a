import type { Observed } from '../objects/index.js';
import { conditionOf, oldConditionsOf } from './conditions.js';
import type { ShownCondition, TreeNode } from './tree-node.js';

/** An object, and the node that shows it if it is not grouped. */
export interface ObjectNode {
  readonly object: Observed;
  readonly node: TreeNode;
}

/**
 * Groups objects that have the same kind and state into one node. An object that is alone in its group keeps its own node and
 * children.
 */
export function groupNodes(objectNodes: readonly ObjectNode[], old: boolean): readonly TreeNode[] {
  const groups = new Map<string, ObjectNode[]>();
  for (const objectNode of objectNodes) {
    const key = [objectNode.object.kind, ...(old ? oldState(objectNode.object) : stateOf(objectNode.object))].join('|');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [objectNode]);
    else group.push(objectNode);
  }
  return [...groups.values()]
    .map((group) => (group.length === 1 ? group[0]?.node : groupNode(group)))
    .filter((node) => node !== undefined);
}

function stateOf(object: Observed): string[] {
  return ['Available', 'Ready', 'UpToDate'].map((type) => {
    const condition = conditionOf(object, type);
    return condition === undefined ? '' : `${condition.status} ${condition.reason}`;
  });
}

function oldState(object: Observed): string[] {
  const ready = oldConditionsOf(object).find(({ type }) => type === 'Ready');
  return ready === undefined ? [''] : [ready.status, ready.severity ?? '', ready.reason];
}

function groupNode(objectNodes: readonly ObjectNode[]): TreeNode {
  const [first] = objectNodes;
  const nodes = objectNodes.map(({ node }) => node);
  const count = (name: 'available' | 'ready' | 'upToDate'): number =>
    nodes.reduce((sum, { counters }) => sum + (counters[name] ?? 0), 0);
  const condition = oldestCondition(nodes);
  const details = first?.node.details?.filter((detail) => nodes.every((node) => node.details?.includes(detail))) ?? [];
  return {
    kind: first?.node.kind ?? '',
    namespace: first?.node.namespace ?? '',
    name: '',
    group: nodes.map(({ name }) => name).toSorted(),
    ...(details.length > 0 && { details }),
    counters: { available: count('available'), ready: count('ready'), upToDate: count('upToDate') },
    ...(condition && { condition }),
    children: [],
  };
}

/**
 * Returns the condition of the group, with the earliest transition time and without the message, which is specific to one
 * Machine.
 */
function oldestCondition(nodes: readonly TreeNode[]): ShownCondition | undefined {
  const [first, ...others] = nodes.flatMap(({ condition }) => (condition === undefined ? [] : [condition]));
  if (first === undefined) return undefined;
  const times = [first, ...others].map(({ lastTransitionTime }) => lastTransitionTime).toSorted();
  return { ...first, message: '', lastTransitionTime: times[0] ?? first.lastTransitionTime };
}
