export { decideAutoApproval } from './auto-approval.js';
export { signApproved, signerProblem } from './built-in-signers.js';
export { createCertificateAdmission } from './certificate-admission.js';
export { isSigningRequestStale } from './request-cleaning.js';
export { isParsed, parseRequest, readSigningRequestObject, signers } from './signing-request-object.js';
export { createSigningRequestStrategies } from './signing-request-strategy.js';
