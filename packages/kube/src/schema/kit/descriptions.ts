import type { Schema } from '../schema.js';

/**
 * Returns the paths of all fields for which `kubectl explain` has no description, in the notation of `describeFields`
 * (`spec.taints[].key`, `spec.variables.*.value`); `(root)` is the kind itself. The metadata of the root is exempt:
 * kube-apiserver rejects a CRD that describes it and serves its own text.
 */
export function fieldsWithoutDescription(schema: Schema): string[] {
  const paths = isDescribed(schema) ? [] : ['(root)'];
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    if (name !== 'metadata') collectField(child, name, paths);
  }
  collectElements(schema, '', paths);
  return paths;
}

function collectField(schema: Schema, path: string, paths: string[]): void {
  if (!isDescribed(schema)) paths.push(path);
  collectChildren(schema, path, paths);
}

function collectChildren(schema: Schema, path: string, paths: string[]): void {
  for (const [name, child] of Object.entries(schema.properties ?? {})) collectField(child, `${path}.${name}`, paths);
  collectElements(schema, path, paths);
}

/** Collects the fields below the items of a list or the values of a map, which need no separate description. */
function collectElements(schema: Schema, path: string, paths: string[]): void {
  if (schema.items !== undefined) collectChildren(schema.items, `${path}[]`, paths);
  if (typeof schema.additionalProperties === 'object') {
    collectChildren(schema.additionalProperties, `${path}.*`, paths);
  }
}

function isDescribed(schema: Schema): boolean {
  return schema.description !== undefined && schema.description.trim() !== '';
}
