import { buildSortedNode, emptyFieldSet, type FieldSet, isEmptySet, withSelf } from './field-set.js';
import type { FieldType } from './field-type.js';
import { type PathKey, selfKey } from './path-key.js';

/**
 * Adds the declared parent fields of members to the set. Sets omit these parents, but pruning needs them, so that a struct
 * is removed together with its last field.
 */
export function withNamedFields(set: FieldSet, type: FieldType | undefined): FieldSet {
  const children: [PathKey, FieldSet][] = [];
  for (const key of Object.keys(set)) {
    const node = set[key] as FieldSet;
    if (key === selfKey || isEmptySet(node)) {
      children.push([key, node]);
      continue;
    }
    const field = key.startsWith('f:') ? type?.map?.field(key.slice(2)) : undefined;
    const below = withNamedFields(node, field?.type ?? childType(key, type));
    children.push([key, field === undefined ? below : withSelf(below)]);
  }
  return buildSortedNode(children, false) ?? emptyFieldSet;
}

function childType(key: PathKey, type: FieldType | undefined): FieldType | undefined {
  if (key.startsWith('f:')) return type?.map?.element;
  return key.startsWith('k:') ? type?.list?.element : undefined;
}
