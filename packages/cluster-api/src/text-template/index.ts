export { renderTextTemplate } from './render-text-template.js';
export { sprigFunctions } from './sprig/index.js';
export { TemplateError } from './template-error.js';
