import type { KubeObject } from '@slipway/kube';

export type Draft = KubeObject & {
  metadata: NonNullable<KubeObject['metadata']>;
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
};

/** Time of the creation of all objects, and the time at which they are explained. */
export const createdMs = Date.parse('2026-01-01T00:00:00Z');
export const nowMs = createdMs + 40 * 60_000;
export const changedMs = createdMs + 20 * 60_000;

export const timeText = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

/** Reads `Type=Status Reason: message`. */
export function conditionFrom(text: string, atMs: number = changedMs): Record<string, string> {
  const [, type = '', status = '', reason = '', message = ''] = /^(\w+)=(\w+) (\w+):\s?([\s\S]*)$/.exec(text) ?? [];
  if (type === '') throw new Error(`not a condition: ${text}`);
  return { type, status, reason, message, lastTransitionTime: timeText(atMs) };
}

export function conditionsOf(object: Draft): { type: string; status: string; reason: string; message: string }[] {
  return (object.status?.['conditions'] ?? []) as { type: string; status: string; reason: string; message: string }[];
}
