export { defaultPod, defaultPodSpec, defaultPodTemplate } from './defaults.js';
export { qualityOfService } from './quality-of-service.js';
export { protocols, validateResources } from './validate-containers.js';
export { validatePodSpec, validatePodTemplate, validateTaints, validateTolerations } from './validate-pod-spec.js';
export type { PodOperations } from './pod-operations.js';
export { bindPod } from './binding.js';
export { evictPod } from './eviction.js';
export { podTable } from './pod-table.js';
export { validatePodUpdate } from './validate-pod-update.js';
