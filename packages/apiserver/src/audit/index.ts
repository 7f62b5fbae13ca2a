export type { AuditBackend } from './audit-event.js';
export type { AuditTrail } from './audit-trail.js';
export { type AuditOptions, Auditor } from './auditor.js';
export { AuditLogBackend } from './log-backend.js';
export { AuditPolicyError, parseAuditPolicy } from './policy.js';
export { AuditWebhookBackend } from './webhook-backend.js';
