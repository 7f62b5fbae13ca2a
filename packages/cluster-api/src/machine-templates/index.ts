export {
  type MachineTemplates,
  missingTemplates,
  type ObservedMachineTemplate,
  observeTemplates,
} from './observe-templates.js';
export { ownTemplates } from './own-templates.js';
export { isTemplateReference, templateIndex, templateText } from './template-index.js';
