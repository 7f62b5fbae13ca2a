import { type Ref, refKey } from './cluster.js';
import type { GraphView } from './graph.js';

/** Returns the object and all of its direct and indirect dependents. */
export function objectsToDelete(graph: GraphView, root: Ref): readonly Ref[] {
  const owned = new Map<string, string[]>();
  for (const { from, to, kind } of Object.values(graph.edges))
    if (kind !== 'refers') owned.set(from, [...(owned.get(from) ?? []), to]);
  const seen = new Set([refKey(root)]);
  const found: Ref[] = [];
  for (const key of seen) {
    const node = graph.nodes[key];
    if (node === undefined) continue;
    found.push(node.ref, ...Object.values(node.parts ?? {}).map(({ ref }) => ref));
    for (const next of owned.get(key) ?? []) seen.add(next);
  }
  return found;
}
