export type * from './request.js';
export type * from './resource.js';
export type { Machinery } from './machinery.js';
export { ResourceRegistry } from './resource-registry.js';
