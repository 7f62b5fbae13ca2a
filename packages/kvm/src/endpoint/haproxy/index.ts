export type { BalancerSpec } from './haproxy-configuration.js';
export { HaproxyBalancers, HaproxyError } from './haproxy-balancers.js';
