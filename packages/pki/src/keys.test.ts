import { describe, expect, it } from 'vitest';
import {
  generatePrivateKey,
  keyAlgorithm,
  KeyPool,
  privateKeyFromPem,
  privateKeyToPem,
  publicKeyFromPem,
  publicKeyToJwk,
  publicKeyToPem,
} from './index.js';

describe('private keys', () => {
  it.each(['ECDSA', 'RSA'] as const)('round-trips %s keys through both PEM forms', async (algorithm) => {
    const key = await generatePrivateKey(algorithm);
    for (const form of ['pkcs8', 'traditional'] as const) {
      const back = privateKeyFromPem(privateKeyToPem(key, form));
      expect(keyAlgorithm(back)).toBe(algorithm);
      expect(publicKeyToPem(back)).toBe(publicKeyToPem(key));
    }
    expect(publicKeyFromPem(publicKeyToPem(key)).type).toBe('public');
    const jwk = publicKeyToJwk(key);
    expect(Object.keys(jwk)).toEqual(algorithm === 'RSA' ? ['kty', 'n', 'e'] : ['kty', 'crv', 'x', 'y']);
  });

  it('does not quote a key that cannot be parsed in the error', () => {
    const pem = `-----BEGIN PRIVATE KEY-----\n${Buffer.from('hunter2').toString('base64')}\n-----END PRIVATE KEY-----\n`;
    expect(() => privateKeyFromPem(pem)).toThrow('not a PEM-encoded EC or RSA private key');
  });

  it('keeps RSA keys ready and limits concurrent generation', async () => {
    const shared = await generatePrivateKey('ECDSA');
    let running = 0;
    let most = 0;
    const pool = new KeyPool({
      size: 3,
      parallel: 2,
      generate: async () => {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        return shared;
      },
    });
    await pool.next('RSA');
    await pool.settled();
    expect(pool.ready).toBe(3);
    await pool.next('RSA');
    await pool.settled();
    expect(pool.ready).toBe(3);
    const many = await Promise.all(Array.from({ length: 20 }, () => pool.next('RSA')));
    expect([many.length, most]).toEqual([20, 2]);
    await pool.settled();
    pool.dispose();
    expect(pool.ready).toBe(0);
  });

  it('generates no keys for aborted callers', async () => {
    const shared = await generatePrivateKey('ECDSA');
    const deliver: (() => void)[] = [];
    const generate = (): Promise<typeof shared> => new Promise((resolve) => deliver.push(() => resolve(shared)));
    const pool = new KeyPool({ size: 0, parallel: 1, generate });
    const aborted = new AbortController();
    const [lost, served] = [pool.next('RSA', aborted.signal), pool.next('RSA')];
    aborted.abort(new Error('too late'));
    await expect(lost).rejects.toThrow('too late');
    deliver.shift()?.();
    expect(await served).toBe(shared);
    expect(deliver).toEqual([]);
    await expect(pool.next('RSA', aborted.signal)).rejects.toThrow('too late');
  });

  it('rejects the waiting caller when generation fails, and serves the next one', async () => {
    const shared = await generatePrivateKey('ECDSA');
    let calls = 0;
    const pool = new KeyPool({
      size: 0,
      parallel: 1,
      generate: async () => {
        calls += 1;
        if (calls === 1) throw new Error('no entropy');
        return shared;
      },
    });
    const [first, second] = await Promise.allSettled([pool.next('RSA'), pool.next('RSA')]);
    expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled']);
  });
});
