export type {
  ApplyOptions,
  Client,
  DeleteOptions,
  ListOptions,
  ObjectKey,
  ObjectList,
  PatchBody,
  Reader,
  RequestOptions,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './client.js';
export type { ConnectionConfig, Content, ExecPlugin, Impersonation } from './connection-config.js';
export { ConnectionError } from './connection-error.js';
export type { HttpClient, HttpClientOptions } from './http-client.js';
export { createHttpClient, isTerminating } from './http-client.js';
export { ifPresent } from './if-present.js';
export { LinkedSignal } from './linked-signal.js';
export { checkCreateTarget, checkObjectTarget } from './object-path.js';
export type { RateLimit } from './rate-limiter.js';
export type { Resource } from './resource.js';
export { resourceOf } from './resource-of.js';
export type { Transport, TransportRequest, TransportResponse } from './transport/transport.js';
