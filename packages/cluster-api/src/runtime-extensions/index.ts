export { extensionDependencies } from './extension-dependencies.js';
export { ExtensionClient } from './extension-client.js';
export { createExtensionConfigController } from './extension-config-controller.js';
export { type ExtensionTransport } from './https-transport.js';
export { HookCache } from './hook-cache.js';
export { type AssumedHook, createPlanningTransport } from './planning-transport.js';
export { pendingHooksOf, pendingHooksText } from './pending-hooks.js';
