import { buildSortedNode, emptyFieldSet, type FieldSet, isEmptySet, withSelf } from './field-set.js';
import type { FieldType } from './field-type.js';
import { type PathKey, selfKey } from './path-key.js';

/**
 * The set with the declared fields on the way to its members made members too. Sets leave these out; when deciding what an
 * applier no longer claims they count, so that an emptied struct disappears with its last field.
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
