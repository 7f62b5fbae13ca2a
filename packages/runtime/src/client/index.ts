export type {
  ApplyOptions,
  Client,
  DeleteOptions,
  ListOptions,
  ObjectKey,
  ObjectList,
  PatchBody,
  RequestOptions,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './client.js';
export type { Resource } from './resource.js';
