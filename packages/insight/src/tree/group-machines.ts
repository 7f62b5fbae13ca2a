import type { Observed } from '../objects/index.js';
import { conditionOf, oldConditionsOf } from './conditions.js';
import type { ShownCondition, TreeNode } from './tree-node.js';

/** One object and the place that it would have by itself. */
export interface Place {
  readonly object: Observed;
  readonly node: TreeNode;
}

/** Groups objects of one kind in the same state; a single object keeps its own node and children. */
export function groupPlaces(places: readonly Place[], old: boolean): readonly TreeNode[] {
  const groups = new Map<string, Place[]>();
  for (const place of places) {
    const key = [place.object.kind, ...(old ? oldState(place.object) : stateOf(place.object))].join('|');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [place]);
    else group.push(place);
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

function groupNode(places: readonly Place[]): TreeNode {
  const [first] = places;
  const nodes = places.map(({ node }) => node);
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

/** Without the message, which is specific to one Machine. */
function oldestCondition(nodes: readonly TreeNode[]): ShownCondition | undefined {
  const [first, ...others] = nodes.flatMap(({ condition }) => (condition === undefined ? [] : [condition]));
  if (first === undefined) return undefined;
  const times = [first, ...others].map(({ lastTransitionTime }) => lastTransitionTime).toSorted();
  return { ...first, message: '', lastTransitionTime: times[0] ?? first.lastTransitionTime };
}
