export { type SigningRequestOptions, startSigningRequests } from './signing-requests.js';
