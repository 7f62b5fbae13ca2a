export { defaultIngressClass, defaultStorageClass } from './default-classes.js';
export { defaultTolerationSeconds } from './default-toleration-seconds.js';
export { podSecurityPlugin } from './pod-security/pod-security.js';
export { priority } from './priority.js';
export { runtimeClass } from './runtime-class.js';
export { serviceAccount } from './service-account.js';
export { taintNodesByCondition } from './taint-nodes-by-condition.js';
