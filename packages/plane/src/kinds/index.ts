export { ensureDefinitions, type EnsureOptions } from './ensure-definitions.js';
export { DefinitionLookup, findDefinition } from './find-definition.js';
export { installKinds, type KindTarget } from './install-kinds.js';
export { installKindsByWebhook, type KindsByWebhookOptions, writeKindWebhooks } from './install-kinds-by-webhook.js';
export { createKindAdmission } from './kind-admission.js';
export { type JudgedChange, type KindRules, type KindSet, type RuleRequest, ruleName } from './kind-set.js';
export {
  addKindWebhooks,
  caBundleTargetsOf,
  type ClientConfigOf,
  definitionsByWebhook,
  mutatingConfiguration,
  validatingConfiguration,
} from './kind-webhooks.js';
