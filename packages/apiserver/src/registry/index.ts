export type * from './request.js';
export type * from './resource.js';
