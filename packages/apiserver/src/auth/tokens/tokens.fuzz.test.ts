import { VirtualClock } from '@slipway/base';
import { KeyPool } from '@slipway/pki';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bearerToken } from './bearer-tokens.js';
import { parseBootstrapToken } from './bootstrap-token.js';
import { decodeClaims } from './service-account-claims.js';
import { ServiceAccountKeys, toSigningKey } from './service-account-keys.js';
import { SignatureCheck, signPayload } from './signed-payload.js';
import { TokenRefused } from './token-authenticator.js';

it('rejects any modified token with the same error', async () => {
  const keys = new ServiceAccountKeys(toSigningKey(await new KeyPool().next('ECDSA')));
  const token = await signPayload(keys, '{"iss":"us","sub":"somebody"}');
  const check = new SignatureCheck(keys, new VirtualClock());
  const damaged = fc
    .record({ at: fc.nat(token.length), length: fc.nat(10), text: fc.string({ maxLength: 8 }) })
    .map(({ at, length, text }) => token.slice(0, at) + text + token.slice(at + length));
  await fc.assert(
    fc.asyncProperty(fc.oneof(damaged, fc.string()), async (text) => {
      if (isSame(text, token)) return;
      expect(typeof check.isFrom(text, 'us')).toBe('boolean');
      await expect(check.verified(text)).rejects.toBeInstanceOf(TokenRefused);
    }),
  );
});

/**
 * Whether two tokens decode to the same bytes. Different texts may: the last base64 digit of a part has unused bits, and decoders
 * skip invalid characters.
 */
function isSame(left: string, right: string): boolean {
  const bytesOf = (text: string): string[] =>
    text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));
  return bytesOf(left).join('.') === bytesOf(right).join('.');
}

const header = fc.oneof(fc.string(), fc.array(fc.string()));
const readers: readonly (readonly [string, () => void])[] = [
  ['claims', () => fc.assert(fc.property(fc.jsonValue(), (json) => void decodeClaims(json)))],
  ['headers', () => fc.assert(fc.property(header, (text) => void bearerToken(text)))],
  ['bootstrap tokens', () => fc.assert(fc.property(fc.string(), (text) => void parseBootstrapToken(text)))],
];

it.each(readers)('parses %s of any form without throwing', (_, read) => {
  expect(read).not.toThrow();
});
