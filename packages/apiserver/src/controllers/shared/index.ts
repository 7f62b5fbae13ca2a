export {
  type Controller,
  type ControllerDependencies,
  controllerManagerName,
  createController,
} from './controller-dependencies.js';
export { EventRecorder } from './event-recorder.js';
export { follow, placeKey, type Sighting, sightingOf, sightingOfEvent, splitPlaceKey } from './follow.js';
export {
  apiServices,
  clusterRoles,
  coreResources,
  disruptionBudgets,
  endpointSlices,
  isTerminating,
  servedRef,
  signingRequests,
  storageOf,
  thaw,
} from './resources.js';
