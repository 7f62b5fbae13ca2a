import type { ClusterClass } from '../api/cluster-class.js';

/** A variable in the status of a ClusterClass: inline, or declared by an extension. */
export type VariableStatus = NonNullable<NonNullable<ClusterClass['status']>['variables']>[number];
export type VariableDefinition = VariableStatus['definitions'][number];

/** Returns the definition of a variable. Undefined while its definitions conflict. */
export function definitionOf(variable: VariableStatus): VariableDefinition | undefined {
  return variable.definitionsConflict === true ? undefined : variable.definitions[0];
}
