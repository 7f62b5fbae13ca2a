export type {
  AdmissionHandler,
  AdmissionOperation,
  AdmissionRequest,
  AdmissionResponse,
  AdmissionVerdict,
  BatchConversionHandler,
  ConversionHandler,
} from './admission.js';
export { conversionPath, webhookPath } from './admission.js';
export type { CertificateSource, SecretCertificatesOptions, ServingCertificate } from './certificates.js';
export { SecretCertificates } from './certificates.js';
export type { FileCertificatesOptions } from './file-certificates.js';
export { fileCertificates } from './file-certificates.js';
export type { CaBundleTargets } from './inject-ca-bundle.js';
export { injectCaBundle } from './inject-ca-bundle.js';
export { judge, reviewAdmission, reviewConversion, reviewConversions } from './review.js';
export type { WebhookServerOptions } from './webhook-server.js';
export { WebhookServer } from './webhook-server.js';
