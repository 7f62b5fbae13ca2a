export { openIdentityDirectory } from './identity-directory.js';
export type { IdentityFiles } from './identity-files.js';
export { memoryIdentityFiles } from './memory-identity-files.js';
export type { KubeconfigOptions, KubeconfigUser } from './kubeconfig.js';
export { kubeconfigText } from './kubeconfig.js';
export type { IdentityOptions, IdentityWorld, ServerIdentity } from './server-identity.js';
export { adminKubeconfig, ensureServerIdentity, servingHosts } from './server-identity.js';
