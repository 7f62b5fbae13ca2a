export { defaultOverrides, defaultVariables, type VariableValue } from './default-variables.js';
export { validateOverrides, validateVariables, validateVariableSchema } from './validate-variables.js';
export { type VariableDefinition, type VariableStatus } from './variable-definition.js';
