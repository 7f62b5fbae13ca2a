export { bootstrapTokenTtl, createKubeadmConfigController, type KubeadmConfigControllerOptions } from './controller.js';
