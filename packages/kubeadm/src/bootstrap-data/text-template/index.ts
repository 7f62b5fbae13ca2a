export { renderTextTemplate } from './render-text-template.js';
