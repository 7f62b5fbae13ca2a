export { openIdentityDirectory } from './identity-directory.js';
export type { IdentityFiles } from './identity-files.js';
export { memoryIdentityFiles } from './memory-identity-files.js';
export { type KubeconfigOptions, kubeconfigText, type KubeconfigUser } from './kubeconfig.js';
export {
  adminKubeconfig,
  ensureServerIdentity,
  type IdentityOptions,
  type IdentityWorld,
  type ServerIdentity,
  servingHosts,
} from './server-identity.js';
