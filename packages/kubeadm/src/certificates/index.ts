export { CertificateError } from './certificate-set.js';
export { certificateFiles } from './certificate-secrets.js';
export type { CertificatePurpose, CertificateSet, KeyPair } from './certificate-set.js';
export { certificateOf, controlPlaneCertificates, workerCertificates } from './certificate-set.js';
export {
  certificateSecret,
  certificateSecretName,
  certificateSecretNames,
  missingCertificates,
  readCertificates,
} from './certificate-secrets.js';
export { checkCertificates, earliestExpiry } from './check-certificates.js';
export type { CertificateDependencies } from './generate-certificates.js';
export { generateCertificates } from './generate-certificates.js';
export { kubeconfigSecret } from '@slipway/cluster-api';
export { createKubeconfig, kubeconfigServer, needsKubeconfigRotation } from './kubeconfig.js';
