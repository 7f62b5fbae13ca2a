export type { BalancerSpec } from './haproxy-configuration.js';
export { HaproxyBalancers } from './haproxy-balancers.js';
