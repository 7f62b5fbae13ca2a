export { GivenEndpoint } from './given-endpoint.js';
export { HaproxyBalancers } from './haproxy/index.js';
export { HaproxyEndpoint } from './haproxy-endpoint.js';
export { ServiceEndpoint } from './service-endpoint.js';
