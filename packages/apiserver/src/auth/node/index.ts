export { createNodeAuthorizer, type NodeAuthorizer } from './node-authorizer.js';
export { nodeNameOf } from './node-identity.js';
export { createNodeRestriction } from './node-restriction.js';
