export {
  AmbiguousInInventory,
  type ConnectionFailure,
  isFault,
  NotFoundInInventory,
  RestError,
  TaskFailed,
  VimConnectionError,
  VimFault,
} from './errors.js';
export { Finder, findNetwork, findSnapshot, isNamed, parseReference } from './find/index.js';
export { parseServerAddress, thumbprintsOf } from './http/index.js';
export {
  keyOf,
  type ObjectState,
  type Properties,
  readTask,
  retrieve,
  retrieveAll,
  retrieveOne,
  taskEnded,
  taskRef,
  type TaskState,
  waitForTask,
} from './property/index.js';
export { ClusterModules, Tags } from './rest/index.js';
export { type Data, isA, make, type ObjectRef } from './schema/index.js';
export { type CallOptions, type Credentials, SessionPool, type SessionSummary, VimSession } from './session/index.js';
export { StoragePolicies } from './storage-policy/storage-policies.js';
