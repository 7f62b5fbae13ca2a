export { ClusterctlConfig, readConfig } from './clusterctl-config.js';
