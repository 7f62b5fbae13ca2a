export { runBalancer } from './run-balancer.js';
