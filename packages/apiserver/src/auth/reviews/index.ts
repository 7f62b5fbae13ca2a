export {
  createLocalSubjectAccessReview,
  createSelfSubjectAccessReview,
  createSelfSubjectRulesReview,
  createSubjectAccessReview,
} from './access-reviews.js';
export { createSelfSubjectReview, createTokenReview, userJson } from './identity-reviews.js';
export { createTokenRequest } from './token-request.js';
