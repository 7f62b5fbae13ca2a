export type BootstrapDataReason =
  | 'InvalidVersion'
  | 'UnsupportedVersion'
  | 'SecretNotFound'
  | 'SecretKeyNotFound'
  | 'InvalidTemplate'
  | 'InvalidEncoding'
  | 'InvalidIgnitionConfig'
  | 'ControlPlaneOnWorker'
  | 'CertificateMissing'
  | 'Unsupported';

/** Bootstrap data cannot be made from what was given. The message never quotes the content of a file or a Secret. */
export class BootstrapDataError extends Error {
  readonly reason: BootstrapDataReason;

  constructor(reason: BootstrapDataReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BootstrapDataError';
    this.reason = reason;
  }
}
