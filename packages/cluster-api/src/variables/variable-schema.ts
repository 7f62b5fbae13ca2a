import type { Schema } from '@slipway/kube';
import type { Infer } from '@slipway/kube/kit';
import type { variableSchema } from '../api/v1beta2/class-variables.js';

export type VariableSchema = Infer<typeof variableSchema>;

/**
 * Returns an object schema with the variable as its only field. CRD schemas require an object at the root, but a variable may
 * have any type.
 */
export function objectSchemaOf(name: string, { openAPIV3Schema }: VariableSchema): Schema {
  const { 'x-metadata': _metadata, ...schema } = openAPIV3Schema;
  // The schema is untyped here. It was validated when the ClusterClass was admitted.
  return { type: 'object', properties: { [name]: schema as Schema } };
}
