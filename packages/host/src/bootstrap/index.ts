export { quote, type Seed, seedFolder, seedOf } from './boot-script.js';
export { BootstrapDataError } from './bootstrap-data-error.js';
export { type CloudConfig, readCloudConfig } from './cloud-config.js';
export type { Facts } from './jinja.js';
export { installsKubeProxy, withKubeProxyConfiguration } from './kube-proxy.js';
