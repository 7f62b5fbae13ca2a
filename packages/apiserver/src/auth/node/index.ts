export { createNodeAuthorizer } from './node-authorizer.js';
export { createNodeRestriction } from './node-restriction.js';
