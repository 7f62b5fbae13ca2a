import { parseCertificates } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import { fields, list, text } from '../../builtins/shared/fields.js';
import { timeOf } from '../shared/index.js';

const hourMs = 3_600_000;
/** Decided requests are kept for a while so that their authors can fetch the outcome. */
const decidedMs = hourMs;
const pendingMs = 24 * hourMs;

/** When a signing request has outlived its use, in milliseconds since the epoch. */
export function signingRequestEnd(request: Frozen<KubeObject>): number {
  const status = fields(request['status']);
  const conditions = list(status['conditions']);
  const certificate = text(status['certificate']);
  const at = (type: string): number | undefined => updateOf(conditions.find((one) => one['type'] === type));
  const ended = [at('Denied'), at('Failed'), certificate === '' ? undefined : at('Approved')]
    .filter((time) => time !== undefined)
    .map((time) => time + decidedMs);
  if (ended.length > 0) return Math.min(...ended, certificateEnd(certificate));
  const created = timeOf(request.metadata.creationTimestamp) ?? 0;
  return (at('Approved') ?? created) + pendingMs;
}

function updateOf(condition: Readonly<Record<string, unknown>> | undefined): number | undefined {
  return condition === undefined ? undefined : (timeOf(condition['lastUpdateTime']) ?? 0);
}

function certificateEnd(encoded: string): number {
  if (encoded === '') return Number.POSITIVE_INFINITY;
  try {
    return parseCertificates(Buffer.from(encoded, 'base64').toString())[0]?.notAfter ?? Number.POSITIVE_INFINITY;
  } catch {
    // Not ours to judge: other signers write here too.
    return Number.POSITIVE_INFINITY;
  }
}
