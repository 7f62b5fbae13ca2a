export { openIdentityDirectory } from './identity-directory.js';
export { kubeconfigText } from './kubeconfig.js';
export { adminKubeconfig, ensureServerIdentity, type IdentityDependencies, servingHosts } from './server-identity.js';
