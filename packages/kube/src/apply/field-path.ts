import { type FieldSet, forEachMember } from './field-set.js';
import { formatPathElement, type PathKey } from './path-key.js';

/** Formats a path as in conflicts and typed errors: `.spec.items[name="a"].v`. */
function formatFieldPath(path: readonly PathKey[]): string {
  return path.map(formatPathElement).join('');
}

/** Formats every member of the set. */
export function formatFieldPaths(set: FieldSet): string[] {
  const paths: string[] = [];
  forEachMember(set, (path) => paths.push(formatFieldPath(path)));
  return paths;
}
