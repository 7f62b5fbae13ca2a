export { LoopbackClient, loopbackUser, type ResourceRef } from './loopback-client.js';
export { ResourceRegistry } from './resource-registry.js';
