export { type ControllerName, parseControllers } from './controller-names.js';
export { PolicyStatusLoop } from './admission-policies/policy-status-loop.js';
export { createConversionWebhook } from './custom-resources/conversion-webhook.js';
export { CrdController } from './custom-resources/crd-controller.js';
export { systemNamespaces } from './namespaces/namespace-controller.js';
export {
  type Controllers,
  installEarlyAdmission,
  installQuotaAdmission,
  startControllers,
} from './start-controllers.js';
