export type { Lookup, TemplateVariable } from './process-template.js';
export { MissingVariablesError, processTemplate, templateVariables } from './process-template.js';
export { TemplateSyntaxError } from './parse.js';
