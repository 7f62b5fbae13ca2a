import { type Ref, refKey } from './cluster.js';
import type { GraphView } from './graph.js';

/** Everything that goes when an object goes: what it owns, and what that owns. */
export function whatGoes(graph: GraphView, root: Ref): readonly Ref[] {
  const owned = new Map<string, string[]>();
  for (const { from, to, kind } of Object.values(graph.edges))
    if (kind !== 'refers') owned.set(from, [...(owned.get(from) ?? []), to]);
  const seen = new Set([refKey(root)]);
  const going: Ref[] = [];
  for (const key of seen) {
    const node = graph.nodes[key];
    if (node === undefined) continue;
    going.push(node.ref, ...Object.values(node.parts ?? {}).map(({ ref }) => ref));
    for (const next of owned.get(key) ?? []) seen.add(next);
  }
  return going;
}
