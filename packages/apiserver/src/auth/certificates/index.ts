export { type ApprovalOutcome, decideAutoApproval } from './auto-approval.js';
export { signApproved, signerProblem, type SigningOutcome } from './built-in-signers.js';
export { createCertificateAdmission, mayUseSigner } from './certificate-admission.js';
export { isSigningRequestStale } from './request-cleaning.js';
export { readSigningRequestObject, signers, type SigningRequestObject } from './signing-request-object.js';
export type { SigningRequestStrategies } from '../../contract/index.js';
export { createSigningRequestStrategies } from './signing-request-strategy.js';
