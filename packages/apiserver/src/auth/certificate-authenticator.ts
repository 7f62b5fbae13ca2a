import { type CertificateVerifier, type Clock, fingerprintOf } from '@slipway/base';
import type { UserInfo } from './user.js';

/** What a client certificate says: CN is the user, every O a group. */
export class CertificateAuthenticator {
  #verifier: CertificateVerifier;
  readonly #clock: Clock;

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
    const { commonName, organizations } = result.certificate.subject;
    if (commonName === '') return undefined;
    const credential = `X509SHA256=${fingerprintOf(der)}`;
    return {
      username: commonName,
      groups: organizations,
      extra: { 'authentication.kubernetes.io/credential-id': [credential] },
    };
  }
}
