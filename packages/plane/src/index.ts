export { HandlerTransport, InProcessClient } from './client/index.js';
export { startEmbeddedControllers } from './controllers/index.js';
export {
  addKindWebhooks,
  caBundleTargetsOf,
  DefinitionLookup,
  definitionsByWebhook,
  ensureDefinitions,
  findDefinition,
  findUnknownContent,
  findUnknownVersions,
  installKinds,
  installKindsByWebhook,
  type KindSet,
  mutatingConfiguration,
  validatingConfiguration,
  writeKindWebhooks,
} from './kinds/index.js';
