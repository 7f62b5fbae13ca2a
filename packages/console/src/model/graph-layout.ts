import type { GraphNode } from './graph.js';

/** A position in the graph: the column depends on the role of the node. */
export interface Slot {
  readonly column: number;
  readonly row: number;
}

export type Slots = ReadonlyMap<string, Slot>;

const columns: Readonly<Record<GraphNode['role'], number>> = { cluster: 0, part: 1, set: 2, machine: 3, template: 4 };

/**
 * Assigns a position to each node. Existing nodes keep their positions, because a graph whose nodes jump is hard to read. New
 * nodes are placed near their parent if there is space.
 */
export function placeNodes(before: Slots, nodes: Readonly<Record<string, GraphNode>>): Slots {
  const slots = new Map([...before].filter(([key]) => nodes[key] !== undefined));
  const taken = new Set([...slots.values()].map(({ column, row }) => `${column} ${row}`));
  let bottom = Math.max(-1, ...[...slots.values()].map(({ row }) => row));
  const children = childrenOf(nodes);
  const place = (key: string, wanted: number): number => {
    const known = slots.get(key);
    const role = nodes[key]?.role ?? 'part';
    let row = known?.row ?? wanted;
    if (known === undefined) {
      while (taken.has(`${columns[role]} ${row}`)) row += 1;
      slots.set(key, { column: columns[role], row });
      taken.add(`${columns[role]} ${row}`);
    }
    bottom = Math.max(bottom, row);
    let next = row;
    for (const child of children.get(key) ?? []) {
      if (nodes[child]?.role === 'template') continue;
      // Place the first child beside its owner, and each further child below the descendants of the previous one.
      next = place(child, next) + 1;
    }
    return Math.max(row, next - 1);
  };
  for (const key of roots(nodes)) place(key, slots.size === 0 ? 0 : bottom + 1);
  let templateRow = 0;
  for (const key of sorted(
    Object.keys(nodes).filter((one) => nodes[one]?.role === 'template'),
    nodes,
  )) {
    if (slots.has(key)) continue;
    while (taken.has(`${columns.template} ${templateRow}`)) templateRow += 1;
    slots.set(key, { column: columns.template, row: templateRow });
    taken.add(`${columns.template} ${templateRow}`);
  }
  return slots;
}

function childrenOf(nodes: Readonly<Record<string, GraphNode>>): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const key of sorted(Object.keys(nodes), nodes)) {
    const { parent } = nodes[key] as GraphNode;
    if (parent === key) continue;
    const list = children.get(parent);
    if (list === undefined) children.set(parent, [key]);
    else list.push(key);
  }
  return children;
}

/** Returns the Cluster and all nodes without a visible parent. */
function roots(nodes: Readonly<Record<string, GraphNode>>): readonly string[] {
  const keys = Object.keys(nodes).filter((key) => {
    const node = nodes[key];
    return node !== undefined && node.role !== 'template' && nodes[node.parent] === undefined;
  });
  return sorted(keys, nodes);
}

const kindOrder = ['Cluster', 'ControlPlane', 'MachineDeployment', 'MachinePool', 'MachineSet', 'Machine'];

/** Sorts nodes: control planes before workers, Secrets last, otherwise by name. */
function sorted(keys: readonly string[], nodes: Readonly<Record<string, GraphNode>>): readonly string[] {
  const rank = (key: string): number => {
    const ref = nodes[key]?.ref;
    if (ref === undefined || ref.kind === 'Secret') return 99;
    if (ref.group.startsWith('infrastructure.') && nodes[key]?.role === 'part') return 1;
    const kind = ref.group.startsWith('controlplane.') ? 'ControlPlane' : ref.kind;
    const place = kindOrder.indexOf(kind);
    return place === -1 ? 50 : place * 2;
  };
  return keys.toSorted((left, right) => rank(left) - rank(right) || (left < right ? -1 : 1));
}
