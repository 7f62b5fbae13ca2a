export { createKubeadmConfigController, type KubeadmConfigControllerOptions } from './controller.js';
