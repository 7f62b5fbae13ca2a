import { type Certificate, type CertificateVerifier, type Clock, fingerprintOf } from '@slipway/base';
import type { UserInfo } from '../contract/index.js';

/** What a client certificate says: CN is the user, every O a group. */
export class CertificateAuthenticator {
  #verifier: CertificateVerifier;
  readonly #clock: Clock;
  /** The verifier gives the same certificate for the same bytes, and so its user is made once. */
  readonly #users = new WeakMap<Certificate, UserInfo>();

  constructor(verifier: CertificateVerifier, clock: Clock) {
    this.#verifier = verifier;
    this.#clock = clock;
  }

  /** Takes another set of authorities from the next request on. */
  trust(verifier: CertificateVerifier): void {
    this.#verifier = verifier;
  }

  /** The user, undefined for a valid certificate that names nobody, `refused` for one that does not verify. */
  authenticate(der: Uint8Array): UserInfo | 'refused' | undefined {
    const result = this.#verifier.verify(der, this.#clock.now());
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
