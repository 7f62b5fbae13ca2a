import type { CertificatePurpose } from './certificate-set.js';

export type CertificateReason =
  | 'Missing'
  | 'MissingCertificateData'
  | 'MissingKeyData'
  | 'NotPem'
  | 'KeyMismatch'
  | 'NotAuthority'
  | 'Expired'
  | 'NotYetValid';

/** A certificate Secret that cannot be used. The message names the Secret, never what is in it. */
export class CertificateError extends Error {
  readonly reason: CertificateReason;
  readonly purpose: CertificatePurpose;

  constructor(reason: CertificateReason, purpose: CertificatePurpose, message: string) {
    super(message);
    this.name = 'CertificateError';
    this.reason = reason;
    this.purpose = purpose;
  }
}
