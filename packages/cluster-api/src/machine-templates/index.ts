export {
  type MachineTemplates,
  missingTemplates,
  type ObservedMachineTemplate,
  observeTemplates,
} from './observe-templates.js';
export { ownTemplates } from './own-templates.js';
export { isTemplateReference } from './template-index.js';
