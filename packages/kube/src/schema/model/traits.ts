import type { Schema } from '../schema.js';

/** What occurs at a node or anywhere under it: walkers skip the parts that hold nothing for them. */
export interface Traits {
  readonly rules: boolean;
  readonly defaults: boolean;
  readonly uniqueLists: boolean;
  readonly embedded: boolean;
}

const cache = new WeakMap<Schema, Traits>();

export function traitsOf(schema: Schema): Traits {
  let traits = cache.get(schema);
  if (traits === undefined) {
    traits = collect(schema);
    cache.set(schema, traits);
  }
  return traits;
}

// Schemas of built-in kinds may contain themselves, hence the set of what was seen instead of recursion.
function collect(root: Schema): Traits {
  const seen = new Set<Schema>([root]);
  const traits = { rules: false, defaults: false, uniqueLists: false, embedded: false };
  for (const schema of seen) {
    traits.rules ||= (schema['x-kubernetes-validations']?.length ?? 0) > 0;
    traits.defaults ||= schema.default !== undefined && schema.default !== null;
    const listType = schema['x-kubernetes-list-type'];
    traits.uniqueLists ||= listType === 'set' || listType === 'map';
    traits.embedded ||= schema['x-kubernetes-embedded-resource'] === true;
    for (const child of structuralChildren(schema)) seen.add(child);
  }
  return traits;
}

/** The nodes that describe values inside this node's value; alternatives of anyOf and the like describe the same value. */
export function structuralChildren(schema: Schema): readonly Schema[] {
  const children = schema.properties === undefined ? [] : Object.values(schema.properties);
  if (schema.items !== undefined) children.push(schema.items);
  if (typeof schema.additionalProperties === 'object') children.push(schema.additionalProperties);
  return children;
}
