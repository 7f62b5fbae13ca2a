import { formatTime } from '@slipway/kube';
import type { CertificateSigningRequest } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { approval } from './names.js';
import { pendingLimit } from './pending-limit.js';
import { clientRequest, requestMadeMs } from './testing/requests.js';

const pending = await clientRequest();
const foreign = await clientRequest({ spec: { signerName: 'example.com/other' } });

function approved(agoMs: number, message: string): CertificateSigningRequest {
  const at = formatTime(requestMadeMs - agoMs);
  const condition = { type: 'Approved', status: 'True', message, lastUpdateTime: at, lastTransitionTime: at };
  return { ...pending, status: { conditions: [condition] } };
}

function made(agoMs: number): CertificateSigningRequest {
  const metadata = { ...pending.metadata, creationTimestamp: formatTime(requestMadeMs - agoMs) };
  return { ...pending, metadata };
}

describe('pending requests', () => {
  it.each([
    { name: 'one of a new machine', request: pending, counts: true },
    { name: 'one for another signer', request: foreign, counts: false },
    { name: 'approved by another client just now [operators 48]', request: approved(39_000, 'kubectl'), counts: true },
    { name: 'approved by another client before [operators 48]', request: approved(40_000, 'kubectl'), counts: false },
    { name: 'approved by ourselves [operators 48]', request: approved(1_000, approval.message), counts: false },
    { name: 'an hour old [operators 48]', request: made(3_600_000), counts: false },
    { name: 'nearly an hour old [operators 48]', request: made(3_599_000), counts: true },
    { name: 'from a clock ahead by nine seconds', request: made(-9_000), counts: true },
    { name: 'from the future', request: made(-10_000), counts: false },
  ])('$name', ({ request, counts }) => {
    expect(pendingLimit([request], { machines: 0, nodes: 0 }, requestMadeMs).pending).toBe(counts ? 1 : 0);
  });
});
