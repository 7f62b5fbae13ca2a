import { type FieldSet, forEachMember } from './field-set.js';
import { formatPathElement, type PathKey } from './path-key.js';

/** `.spec.items[name="a"].v`: how conflicts and typed errors spell a path. */
function formatFieldPath(path: readonly PathKey[]): string {
  return path.map(formatPathElement).join('');
}

/** Every member of the set, spelt out. */
export function formatFieldPaths(set: FieldSet): string[] {
  const paths: string[] = [];
  forEachMember(set, (path) => paths.push(formatFieldPath(path)));
  return paths;
}
