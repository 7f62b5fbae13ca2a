import type { Schema } from '@slipway/kube';
import type { Infer } from '@slipway/kube/kit';
import type { variableSchema } from '../api/v1beta2/class-variables.js';

export type VariableSchema = Infer<typeof variableSchema>;

/**
 * CRD schemas require an object at the root. A variable may have any type, so it is validated as the only field of an object.
 */
export function objectSchemaOf(name: string, { openAPIV3Schema }: VariableSchema): Schema {
  const { 'x-metadata': _metadata, ...schema } = openAPIV3Schema;
  // Values are untyped. They were validated when the ClusterClass was admitted.
  return { type: 'object', properties: { [name]: schema as Schema } };
}
