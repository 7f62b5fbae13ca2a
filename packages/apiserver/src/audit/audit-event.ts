import type { UserInfo } from '../contract/index.js';
import type { AuditLevel, AuditStage } from './policy.js';

export interface AuditObjectReference {
  resource?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiGroup?: string;
  apiVersion?: string;
  resourceVersion?: string;
  subresource?: string;
}

export interface AuditResponseStatus {
  metadata: Record<string, never>;
  status?: string;
  message?: string;
  reason?: string;
  details?: unknown;
  code?: number;
}

/** An audit.k8s.io/v1 Event, in upstream's order of fields. */
export interface AuditEvent {
  kind: 'Event';
  apiVersion: 'audit.k8s.io/v1';
  level: AuditLevel;
  auditID: string;
  stage: AuditStage;
  requestURI: string;
  verb: string;
  user: Partial<UserInfo>;
  impersonatedUser?: UserInfo;
  authenticationMetadata?: { readonly impersonationConstraint: string };
  sourceIPs?: readonly string[];
  userAgent?: string;
  objectRef?: AuditObjectReference;
  responseStatus?: AuditResponseStatus;
  requestObject?: unknown;
  responseObject?: unknown;
  requestReceivedTimestamp: string;
  stageTimestamp: string;
  annotations?: Record<string, string>;
}

/** A destination of audit events. */
export interface AuditBackend {
  /** Name in metrics and log messages. */
  readonly name: string;
  /** Accepts an event, already encoded as JSON. Must not throw: a request never fails because of its audit event. */
  accept(event: string): void;
  /** Writes what is still buffered and releases the destination. */
  close(): Promise<void>;
}
