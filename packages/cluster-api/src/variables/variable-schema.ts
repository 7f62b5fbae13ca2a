import type { Schema } from '@slipway/kube';
import type { Infer } from '@slipway/kube/kit';
import type { variableSchema } from '../api/v1beta2/class-variables.js';

export type VariableSchema = Infer<typeof variableSchema>;

/**
 * Schemas of variables are written in the dialect of definitions, where the root is always an object. A variable may be
 * anything, so it is looked at as the only field of an object.
 */
export function objectSchemaOf(name: string, { openAPIV3Schema }: VariableSchema): Schema {
  const { 'x-metadata': _metadata, ...schema } = openAPIV3Schema;
  // What is inside is foreign; it was checked when the ClusterClass was admitted.
  return { type: 'object', properties: { [name]: schema as Schema } };
}
