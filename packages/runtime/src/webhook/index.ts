export type {
  AdmissionHandler,
  AdmissionRequest,
  ConversionHandler,
} from './admission.js';
export { conversionPath, webhookPath } from './admission.js';
export type { CertificateSource } from './certificates.js';
export { SecretCertificates } from './certificates.js';
export { fileCertificates } from './file-certificates.js';
export type { CaBundleTargets } from './inject-ca-bundle.js';
export { injectCaBundle } from './inject-ca-bundle.js';
export { admit } from './review.js';
export { WebhookServer } from './webhook-server.js';
