import { type FieldSet, forEachMember } from './field-set.js';
import { formatPathElement, type PathKey } from './path-key.js';

/** `.spec.items[name="a"].v`: the format of paths in conflicts and typed errors. */
function formatFieldPath(path: readonly PathKey[]): string {
  return path.map(formatPathElement).join('');
}

/** Formats every member of the set. */
export function formatFieldPaths(set: FieldSet): string[] {
  const paths: string[] = [];
  forEachMember(set, (path) => paths.push(formatFieldPath(path)));
  return paths;
}
