import type { Schema } from '../schema/schema.js';
import { getKey } from '../json/set-key.js';

/** The merge strategy of a field. Without a schema, lists are replaced and objects are merged. */
export interface PatchMeta {
  readonly strategy: '' | 'merge' | 'replace';
  readonly mergeKey: string;
  /** The schema of the field for objects, or of its items for lists. */
  readonly schema: Schema | undefined;
}

export function objectFieldMeta(parent: Schema | undefined, field: string): PatchMeta {
  const schema = fieldSchema(parent, field);
  return { strategy: strategyOf(schema), mergeKey: '', schema };
}

export function listFieldMeta(parent: Schema | undefined, field: string): PatchMeta {
  const schema = fieldSchema(parent, field);
  return {
    strategy: strategyOf(schema),
    mergeKey: schema?.['x-kubernetes-patch-merge-key'] ?? '',
    schema: schema?.items,
  };
}

function fieldSchema(parent: Schema | undefined, field: string): Schema | undefined {
  const property = parent?.properties === undefined ? undefined : getKey(parent.properties, field);
  if (property !== undefined) return property;
  return typeof parent?.additionalProperties === 'object' ? parent.additionalProperties : undefined;
}

/**
 * Returns the merge strategy. `retainKeys` is ignored: it only affects how a patch is computed, and is a separate directive in
 * the patch.
 */
function strategyOf(schema: Schema | undefined): PatchMeta['strategy'] {
  const strategies = schema?.['x-kubernetes-patch-strategy']?.split(',') ?? [];
  return strategies.includes('merge') ? 'merge' : strategies.includes('replace') ? 'replace' : '';
}
