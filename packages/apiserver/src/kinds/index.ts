export {
  admissionVariables,
  compileAdmissionExpression,
  type EnvironmentOptions,
  matchConditionsCostMax,
  policyCostMax,
} from './admissionregistration/admission-environment.js';
export { cleanupFinalizer } from './apiextensions/custom-resource-definition.js';
export type { PodHooks } from './core/pod.js';
export { defaultPrinter } from './custom/custom-columns.js';
export type { Converter } from './custom/custom-definition.js';
export { builtinDefinitions } from './definitions.js';
export { eventTtlMs } from './events/event.js';
export type { BuiltinHooks, CustomResourceHooks } from './hooks.js';
export { systemPriorityClasses } from './scheduling/priority-class.js';
export { ServiceNetwork } from './services/service-network.js';
