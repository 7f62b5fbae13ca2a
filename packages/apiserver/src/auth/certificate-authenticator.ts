import { type Clock } from '@slipway/base';
import { type Certificate, type CertificateVerifier, fingerprintOf } from '@slipway/pki';
import type { UserInfo } from '../contract/index.js';

/** Authenticates client certificates: CN is the user name, each O is a group. */
export class CertificateAuthenticator {
  #verifier: CertificateVerifier;
  readonly #clock: Clock;
  /** Users by certificate object. The verifier returns the same object for the same bytes. */
  readonly #users = new WeakMap<Certificate, UserInfo>();

  constructor(verifier: CertificateVerifier, clock: Clock) {
    this.#verifier = verifier;
    this.#clock = clock;
  }

  /** Replaces the trusted CAs, effective from the next request. */
  trust(verifier: CertificateVerifier): void {
    this.#verifier = verifier;
  }

  /** Returns the user of the certificate, undefined if a valid certificate has no CN, or `refused` if verification fails. */
  authenticate(der: Uint8Array, intermediates: readonly Uint8Array[] = []): UserInfo | 'refused' | undefined {
    const result = this.#verifier.verify(der, this.#clock.now(), intermediates);
    if (!result.ok) return 'refused';
    const { certificate } = result;
    if (certificate.subject.commonName === '') return undefined;
    let user = this.#users.get(certificate);
    if (user === undefined) {
      user = userOf(certificate, der);
      this.#users.set(certificate, user);
    }
    return user;
  }
}

function userOf({ subject }: Certificate, der: Uint8Array): UserInfo {
  return {
    username: subject.commonName,
    groups: subject.organizations,
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprintOf(der)}`] },
  };
}
