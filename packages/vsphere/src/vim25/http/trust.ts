import { createHash, X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { VimConnectionError } from '../errors.js';

/** By what a server's certificate is judged. Nothing at all means that any certificate will do, as upstream has it. */
export interface Trust {
  /** SHA-1 or SHA-256 of the certificate, as hexadecimal pairs with colons. */
  readonly thumbprint?: string;
  /** Certificates of authorities in PEM. */
  readonly caBundle?: string;
  /** Judge it even if neither is given: by the authorities that this machine knows. */
  readonly verify?: boolean;
  /** By what we are judged, in PEM, where the server asks for it. */
  readonly identity?: { readonly cert: string; readonly key: string };
}

/** Failures that a thumbprint may excuse: nobody known has signed it, or it names another host. An expired one is not. */
const excusable = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

export function verifiesCertificates({ thumbprint = '', caBundle = '', verify = false }: Trust): boolean {
  return verify || thumbprint !== '' || caBundle !== '';
}

/** What is wrong with the certificate on the other side, before anything is sent to it. */
export function judgeCertificate(socket: TLSSocket, trust: Trust, server: string, now: number): Error | undefined {
  if (!verifiesCertificates(trust) || socket.authorized) return undefined;
  // Node declares an Error here and sets the code of one.
  const failure = String(socket.authorizationError);
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return untrusted(server, 'shows no certificate');
  if (now > Date.parse(certificate.validTo) || now < Date.parse(certificate.validFrom)) {
    return untrusted(server, `has a certificate that is valid from ${certificate.validFrom} to ${certificate.validTo}`);
  }
  if (!excusable.has(failure)) return untrusted(server, `has a certificate that does not verify: ${failure}`);
  const { thumbprint = '' } = trust;
  if (thumbprint === '') {
    const by = (trust.caBundle ?? '') === '' ? 'no known authority verifies' : 'the CA bundle does not verify';
    return untrusted(server, `has a certificate that ${by}: ${failure}`);
  }
  const found = thumbprintsOf(certificate.raw);
  if (found.includes(normalise(thumbprint))) return undefined;
  return untrusted(
    server,
    `has the thumbprint ${found[1]} (SHA-1 ${found[0]}), and not ${thumbprint}; if its certificate was renewed, set thumbprint to the new value`,
  );
}

/** Thumbprints of a certificate in PEM or DER: SHA-1 and SHA-256. */
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
