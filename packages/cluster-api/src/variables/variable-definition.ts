import type { ClusterClass } from '../api/cluster-class.js';

/** A variable as the status of a ClusterClass has it: inline ones and those that extensions declare. */
export type VariableStatus = NonNullable<NonNullable<ClusterClass['status']>['variables']>[number];
export type VariableDefinition = VariableStatus['definitions'][number];

/** What the variable is; undefined while its definitions contradict each other. */
export function definitionOf(variable: VariableStatus): VariableDefinition | undefined {
  return variable.definitionsConflict === true ? undefined : variable.definitions[0];
}
