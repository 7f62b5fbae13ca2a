export type { RestSession } from './rest-session.js';
export { SessionPool, type SessionSummary } from './session-pool.js';
export type { CallOptions, Credentials, SoapSession } from './soap-session.js';
export { VimSession } from './vim-session.js';
