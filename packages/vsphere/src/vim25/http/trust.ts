import { createHash, X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { VimConnectionError } from '../errors.js';

/**
 * How a server's certificate is verified. Without thumbprint, CA bundle and `verify` it is not verified at all, as in upstream.
 */
export interface Trust {
  /** SHA-1 or SHA-256 of the certificate, as hexadecimal pairs with colons. */
  readonly thumbprint?: string;
  /** CA certificates in PEM. */
  readonly caBundle?: string;
  /** Whether to verify the certificate with the CAs of this host if neither of the above is set. */
  readonly verify?: boolean;
  /** Client certificate in PEM, for servers that request one. */
  readonly identity?: { readonly cert: string; readonly key: string };
}

/**
 * Verification failures that a matching thumbprint overrides: an unknown CA or another host name. An expired certificate is still
 * rejected.
 */
const excusable = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

function verifiesCertificates({ thumbprint = '', caBundle = '', verify = false }: Trust): boolean {
  return verify || thumbprint !== '' || caBundle !== '';
}

/** Returns why the server certificate is rejected, or undefined. Runs before anything is sent. */
export function verifyCertificate(socket: TLSSocket, trust: Trust, server: string, now: number): Error | undefined {
  if (!verifiesCertificates(trust) || socket.authorized) return undefined;
  // Node.js declares this property as an Error, but sets it to an error code.
  const failure = String(socket.authorizationError);
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return untrusted(server, 'did not present a certificate');
  if (now > Date.parse(certificate.validTo) || now < Date.parse(certificate.validFrom)) {
    return untrusted(
      server,
      `presented a certificate that is valid from ${certificate.validFrom} to ${certificate.validTo}`,
    );
  }
  if (!excusable.has(failure)) return untrusted(server, `presented a certificate that does not verify: ${failure}`);
  const { thumbprint = '' } = trust;
  if (thumbprint === '') {
    const by = (trust.caBundle ?? '') === '' ? 'no known CA verifies' : 'the CA bundle does not verify';
    return untrusted(server, `presented a certificate that ${by}: ${failure}`);
  }
  const found = thumbprintsOf(certificate.raw);
  if (found.includes(normalise(thumbprint))) return undefined;
  return untrusted(
    server,
    `presented a certificate with thumbprint ${found[1]} (SHA-1 ${found[0]}) instead of ${thumbprint}; if the certificate was renewed, set thumbprint to the new value`,
  );
}

/** Returns the SHA-1 and SHA-256 thumbprints of a certificate in PEM or DER. */
export function thumbprintsOf(certificate: string | Buffer): readonly [string, string] {
  const { raw } = new X509Certificate(certificate);
  return [digest(raw, 'sha1'), digest(raw, 'sha256')];
}

function digest(raw: Buffer, algorithm: string): string {
  const hex = createHash(algorithm).update(raw).digest('hex').toUpperCase();
  return (hex.match(/../g) ?? []).join(':');
}

function normalise(thumbprint: string): string {
  return thumbprint.trim().toUpperCase();
}

function untrusted(server: string, what: string): VimConnectionError {
  return new VimConnectionError('untrusted', `${server} ${what}`);
}
