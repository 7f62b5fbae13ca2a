export { startEndpointsMirror } from './endpoints-mirror.js';
export { type KubernetesServiceOptions, startKubernetesService } from './kubernetes-service.js';
export { startServiceEndpoints } from './service-endpoints.js';
