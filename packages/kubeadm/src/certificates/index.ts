export type { CertificateReason } from './certificate-error.js';
export { CertificateError } from './certificate-error.js';
export type { CertificateFile } from './certificate-files.js';
export { certificateFiles } from './certificate-files.js';
export type { CertificatePurpose, CertificateSet, ClusterCertificate, KeyPair } from './certificate-set.js';
export {
  certificateOf,
  certificatesDirDefault,
  controlPlaneCertificates,
  workerCertificates,
} from './certificate-set.js';
export type { CertificateSecrets, ClusterKey } from './certificate-secrets.js';
export {
  certificateSecret,
  certificateSecretName,
  certificateSecretNames,
  missingCertificates,
  readCertificates,
} from './certificate-secrets.js';
export { checkCertificates, earliestExpiry } from './check-certificates.js';
export type { CertificateWorld } from './generate-certificates.js';
export { generateCertificates, newKey } from './generate-certificates.js';
export type { KubeconfigOptions } from './kubeconfig.js';
export { kubeconfigSecret } from '@slipway/cluster-api';
export { createKubeconfig, kubeconfigServer, needsKubeconfigRotation } from './kubeconfig.js';
