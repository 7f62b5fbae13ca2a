export { defaultOverrides, defaultVariables, type VariableValue } from './default-variables.js';
export { validateOverrides, validateVariables, validateVariableSchema } from './validate-variables.js';
export { definitionOf, type VariableDefinition, type VariableStatus } from './variable-definition.js';
export { objectSchemaOf, type VariableSchema } from './variable-schema.js';
