export { ReconcileTimeoutError } from './classify-error.js';
export type { Controller, ControllerEnvironment, ControllerOptions, Trigger } from './controller.js';
export { createController } from './controller.js';
export type { ControllerMetrics, ReconcileResult } from './controller-metrics.js';
export type { KeyError } from './error-log.js';
export type { Gate } from './gate.js';
export { gateOf, openGate } from './gate.js';
export { type AnyIndex, controllerIndex, labelIndex } from './indexes.js';
export type { InformerSourcesOptions } from './informer-sources.js';
export { informerSources } from './informer-sources.js';
export type { AnyPredicate, Predicate } from './predicates.js';
export {
  allOf,
  annotationsChanged,
  anyOf,
  generationChanged,
  inNamespaces,
  labelsChanged,
  not,
  notPaused,
  resourceVersionChanged,
  watchFilter,
} from './predicates.js';
export type { ReconcileContext } from './reconcile-context.js';
export type { ControllerDebug, RunningController } from './running-controller.js';
export type { Index, ObjectChange, Source, Sources } from './source.js';
export type { FoundTracer } from './tracing.js';
export { tracerFromEnvironment } from './tracing.js';
export type { TypedWatch, Watch } from './watch.js';
export { keyText, mapToController, mapToOwner, mapToSelf, parseKey, watch } from './watch.js';
