export * from './kubeadm-config-template.js';
export * from './kubeadm-config.js';
export * from './kubeadm-control-plane-template.js';
export * from './kubeadm-control-plane.js';
export * from './conversions/index.js';
export * from './kinds.js';
export * from './conditions.js';
export * from './names.js';
