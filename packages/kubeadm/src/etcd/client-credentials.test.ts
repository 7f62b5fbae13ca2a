import { seededRandom, VirtualClock } from '@slipway/base';
import {
  createCa,
  certificateToPem,
  generatePrivateKey,
  KeyPool,
  parseCertificates,
  privateKeyToPem,
} from '@slipway/pki';
import { describe, expect, it } from 'vitest';
import type { KeyPair } from '../certificates/index.js';
import { EtcdClientCredentials } from './client-credentials.js';

const dayMs = 86_400_000;
const clock = new VirtualClock();
const dependencies = { clock, random: seededRandom(1), keys: new KeyPool({ size: 0 }) };

async function authority(validityDays = 3650): Promise<KeyPair> {
  const key = await generatePrivateKey('ECDSA');
  const made = await createCa(dependencies, { commonName: 'etcd-ca', key, validityMs: validityDays * dayMs });
  return { certificate: certificateToPem(made.certificate), key: privateKeyToPem(key) };
}

describe('client certificates for etcd', () => {
  it('have the name cluster-api.x-k8s.io and client usage, and are valid for ten years [10.5]', async () => {
    const pair = await authority(36_500);
    const made = await new EtcdClientCredentials(dependencies).for(pair);
    const [certificate] = parseCertificates(made.certificate);
    expect(certificate?.subject.commonName).toBe('cluster-api.x-k8s.io');
    expect(certificate?.extendedKeyUsages).toEqual(['client auth']);
    expect(certificate?.keyUsages).toEqual(['digital signature']);
    expect(Math.round(((certificate?.notAfter ?? 0) - clock.now()) / dayMs)).toBe(3650);
    expect(made.authority).toBe(pair.certificate);
  });

  it('never outlive their CA', async () => {
    const made = await new EtcdClientCredentials(dependencies).for(await authority(30));
    const [certificate] = parseCertificates(made.certificate);
    expect(Math.round(((certificate?.notAfter ?? 0) - clock.now()) / dayMs)).toBe(30);
  });

  it('are generated once for a CA, and again for another CA', async () => {
    const credentials = new EtcdClientCredentials(dependencies);
    const [one, two] = [await authority(), await authority()];
    const first = await credentials.for(one);
    expect(await credentials.for({ ...one })).toBe(first);
    expect(await credentials.for(two)).not.toBe(first);
  });

  it.each([
    { name: 'without its key', change: { key: '' }, why: 'the etcd CA has no private key' },
    { name: 'that is not PEM', change: { certificate: 'x' }, why: 'the etcd CA is not a PEM-encoded certificate' },
  ])('cannot be signed by a CA $name, which is retried', async ({ change, why }) => {
    const credentials = new EtcdClientCredentials(dependencies);
    const pair = await authority();
    await expect(credentials.for({ ...pair, ...change })).rejects.toThrow(why);
    await expect(credentials.for({ ...pair, ...change })).rejects.toThrow(why);
  });
});
