export { startEndpointsMirror } from './endpoints-mirror.js';
export { startKubernetesService } from './kubernetes-service.js';
export { startServiceEndpoints } from './service-endpoints.js';
