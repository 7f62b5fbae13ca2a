export { ensureDefinitions } from './ensure-definitions.js';
export { DefinitionLookup, findDefinition } from './find-definition.js';
export { installKindsByWebhook, writeKindWebhooks } from './install-kinds-by-webhook.js';
export { installKinds } from './install-kinds.js';
export type { KindSet } from './kind-set.js';
export {
  addKindWebhooks,
  caBundleTargetsOf,
  definitionsByWebhook,
  mutatingConfiguration,
  validatingConfiguration,
} from './kind-webhooks.js';
export { findUnknownContent, findUnknownVersions } from './stored-data.js';
