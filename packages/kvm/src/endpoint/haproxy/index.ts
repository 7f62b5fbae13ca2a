export type { BalancedServer, BalancerSpec } from './haproxy-configuration.js';
export { HaproxyBalancers, type HaproxyBalancersOptions } from './haproxy-balancers.js';
