export { Balancer } from './balancer.js';
export { type BalancerFile, balancerFile, runBalancer } from './run-balancer.js';
