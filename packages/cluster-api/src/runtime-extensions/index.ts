export { callExtension, type ExtensionWorld } from './call-extension.js';
export { discoverExtension, type ExtensionHandler } from './discover-extension.js';
export { extensionWorldOf } from './extension-world.js';
export { type AggregatedResponse, type CallOptions, ExtensionClient, type HookSubject } from './extension-client.js';
export { createExtensionConfigController } from './extension-config-controller.js';
export { ExtensionError, type ExtensionFailure } from './extension-error.js';
export {
  type ExtensionCall,
  type ExtensionReply,
  type ExtensionTransport,
} from './https-transport.js';
export { HookCache } from './hook-cache.js';
export { pendingHooksOf, pendingHooksText } from './pending-hooks.js';
export { hooksApiVersion, type RuntimeHook, runtimeHooks } from './runtime-hooks.js';
