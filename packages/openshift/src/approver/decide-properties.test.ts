import { decodePem, encodePem } from '@slipway/pki';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.js';
import { pendingLimit } from './pending-limit.js';
import {
  clientRequest,
  joinedMachine,
  machine,
  machineMadeMs,
  nodeName,
  requestMadeMs,
  servingRequest,
} from './testing/requests.js';

const client = await clientRequest();
const serving = await servingRequest();
const clientFacts = { machines: [machine], nodeNames: new Set<string>() };
const servingFacts = { machines: [joinedMachine], nodeNames: new Set([nodeName]) };

function withFlippedBit(request: string, at: number): string {
  const [block] = decodePem(Buffer.from(request, 'base64').toString('latin1'));
  const der = Uint8Array.from(block?.der ?? []);
  // Change only bytes that the signature covers, not the signature itself.
  const start = headerLength(der, 0);
  const index = start + (Math.floor(at / 8) % (headerLength(der, start) + contentLength(der, start)));
  der[index] = (der[index] ?? 0) ^ (1 << (at % 8));
  return Buffer.from(encodePem('CERTIFICATE REQUEST', der)).toString('base64');
}

/** Returns the header length of a DER element whose length takes up to two bytes. */
function headerLength(der: Uint8Array, at: number): number {
  const first = der[at + 1] ?? 0;
  return first < 0x80 ? 2 : 2 + (first & 0x7f);
}

function contentLength(der: Uint8Array, at: number): number {
  const length = der.slice(at + 1, at + headerLength(der, at));
  return length.length === 1 ? (length[0] ?? 0) : Buffer.from(length.slice(1)).readUIntBE(0, length.length - 1);
}

const groups = fc.array(
  fc.constantFrom('system:nodes', 'system:authenticated', 'system:masters', 'system:serviceaccounts', 'other'),
);
const usages = fc.array(
  fc.constantFrom('digital signature', 'key encipherment', 'client auth', 'server auth', 'any', 'cert sign'),
);

describe('the approver', () => {
  it('does not approve a request with one changed signed bit', () => {
    fc.assert(
      fc.property(fc.nat(8 * 2_000), fc.boolean(), (at, isClient) => {
        const [valid, facts] = isClient ? [client, clientFacts] : [serving, servingFacts];
        const changed = { ...valid, spec: { ...valid.spec, request: withFlippedBit(valid.spec.request, at) } };
        expect(decide(changed, facts).type).not.toBe('approve');
      }),
    );
  });

  it('approves only the groups and usages of the rule', () => {
    const sorted = (list: readonly string[]): string => [...list].sort().join();
    fc.assert(
      fc.property(groups, usages, (givenGroups, givenUsages) => {
        const changed = (valid: typeof client) => ({
          ...valid,
          spec: { ...valid.spec, groups: givenGroups, usages: givenUsages },
        });
        // No generated group equals the group of the service account namespace.
        expect(decide(changed(client), clientFacts).type).not.toBe('approve');
        const isAllowed =
          givenGroups.includes('system:nodes') &&
          givenGroups.includes('system:authenticated') &&
          ['digital signature,server auth', 'digital signature,key encipherment,server auth'].includes(
            sorted(givenUsages),
          );
        expect(decide(changed(serving), servingFacts).type === 'approve').toBe(isAllowed);
      }),
    );
  });

  it('approves a client certificate only within the time window [operators 44]', () => {
    fc.assert(
      fc.property(fc.integer({ min: -20, max: 7_300 }), (seconds) => {
        const metadata = { ...client.metadata, creationTimestamp: isoTime(machineMadeMs + seconds * 1_000) };
        const isWithin = seconds > -10 && seconds < 7_200;
        expect(decide({ ...client, metadata }, clientFacts).type === 'approve').toBe(isWithin);
      }),
    );
  });

  it('approves only for the Machine with the requested name', () => {
    const address = fc.record({
      type: fc.constantFrom('InternalDNS', 'Hostname', 'ExternalDNS', 'InternalIP'),
      address: fc.oneof(fc.domain(), fc.constantFrom('worker-1', 'worker-10.example.com', 'example.com', '')),
    });
    fc.assert(
      fc.property(fc.array(fc.array(address)), (lists) => {
        const machines = lists.map((addresses, index) => ({ ...machine, name: `other-${index}`, addresses }));
        expect(decide(client, { ...clientFacts, machines })).toMatchObject({ type: 'retry', reason: 'NoMachine' });
        expect(decide(client, { ...clientFacts, machines: [...machines, machine] }).type).toBe('approve');
      }),
    );
  });

  it('allows as many pending requests as machines or nodes plus a hundred', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(20), fc.integer({ min: -2, max: 2 }), (machines, nodes, beyond) => {
        const count = Math.max(machines, nodes) + 100 + beyond;
        const limit = pendingLimit(Array(count).fill(client), { machines, nodes }, requestMadeMs);
        expect(limit).toMatchObject({ pending: count, max: count - beyond, isExceeded: beyond > 0 });
        // Approvals continue once the excess requests are older than an hour.
        const later = pendingLimit(Array(count).fill(client), { machines, nodes }, requestMadeMs + limit.recoversInMs);
        expect(limit.isExceeded && later.isExceeded).toBe(false);
      }),
    );
  });
});

function isoTime(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
