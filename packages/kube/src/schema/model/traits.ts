import type { Schema } from '../schema.js';

/** The features that occur at a node or below it. Walkers skip the parts of a value for which they are absent. */
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

// Collects the features of a schema. Schemas of built-in kinds may be cyclic, so visited nodes are tracked instead of recursing.
function collect(root: Schema): Traits {
  const seen = new Set<Schema>([root]);
  for (const schema of seen) for (const child of structuralChildren(schema)) seen.add(child);
  const nodes = [...seen];
  return {
    rules: nodes.some((node) => (node['x-kubernetes-validations']?.length ?? 0) > 0),
    defaults: nodes.some((node) => node.default !== undefined && node.default !== null),
    uniqueLists: nodes.some((node) => uniqueListTypes.has(node['x-kubernetes-list-type'])),
    embedded: nodes.some((node) => node['x-kubernetes-embedded-resource'] === true),
  };
}

const uniqueListTypes: ReadonlySet<Schema['x-kubernetes-list-type']> = new Set(['set', 'map'] as const);

/**
 * Returns the nodes for values inside this node's value. Alternatives such as anyOf are not included, because they describe the
 * same value.
 */
export function structuralChildren(schema: Schema): readonly Schema[] {
  const children = schema.properties === undefined ? [] : Object.values(schema.properties);
  if (schema.items !== undefined) children.push(schema.items);
  if (typeof schema.additionalProperties === 'object') children.push(schema.additionalProperties);
  return children;
}
