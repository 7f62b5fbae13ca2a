export type { ApprovalOutcome } from './auto-approval.js';
export { decideAutoApproval } from './auto-approval.js';
export type { SigningOutcome } from './built-in-signers.js';
export { signApproved, signerProblem } from './built-in-signers.js';
export { createCertificateAdmission, mayUseSigner } from './certificate-admission.js';
export type { SigningRequestObject } from './signing-request-object.js';
export { readSigningRequestObject, signers } from './signing-request-object.js';
export type { SigningRequestStrategies } from './signing-request-strategy.js';
export { createSigningRequestStrategies } from './signing-request-strategy.js';
