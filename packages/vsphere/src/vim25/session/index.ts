export type { RestRequest, RestSession } from './rest-session.js';
export { SessionPool, type SessionPoolOptions, type SessionSummary } from './session-pool.js';
export type { CallOptions, Credentials, SoapSession } from './soap-session.js';
export { VimSession, type VimSessionOptions } from './vim-session.js';
