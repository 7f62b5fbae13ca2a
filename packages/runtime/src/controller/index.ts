export type { Controller, ControllerEnvironment, ControllerOptions, Trigger } from './controller.js';
export { createController } from './controller.js';
export type { Gate } from './gate.js';
export { gateOf, openGate } from './gate.js';
export { type AnyIndex, controllerIndex, labelIndex } from './indexes.js';
export { informerSources } from './informer-sources.js';
export type { Outcome } from './outcome.js';
export { done, joinOutcomes, retry, terminal, wait } from './outcome.js';
export type { AnyPredicate, Predicate } from './predicates.js';
export {
  allOf,
  annotationsChanged,
  anyOf,
  generationChanged,
  labelsChanged,
  resourceVersionChanged,
} from './predicates.js';
export type { ReconcileContext } from './reconcile-context.js';
export type { ReconcileErrorOptions } from './reconcile-error.js';
export { ReconcileError } from './reconcile-error.js';
export type { RunningController } from './running-controller.js';
export type { Index, ObjectChange, Source, Sources } from './source.js';
export { tracerFromEnvironment } from './tracing.js';
export type { Watch } from './watch.js';
export { keyText, mapToController, mapToOwner, mapToSelf, watch } from './watch.js';
