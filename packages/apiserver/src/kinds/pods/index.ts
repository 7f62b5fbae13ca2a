export { defaultPod, defaultPodSpec, defaultPodTemplate } from './defaults.js';
export { qualityOfService } from './quality-of-service.js';
export { protocols } from './validate-containers.js';
export { validatePodSpec, validatePodTemplate, validateTaints } from './validate-pod-spec.js';
export { bindPod } from './binding.js';
