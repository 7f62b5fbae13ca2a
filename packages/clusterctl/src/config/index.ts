export { ClusterctlConfig, type ConfigOptions, readConfig } from './clusterctl-config.js';
