export type {
  ApplyChange,
  ApplyPreview,
  CallChange,
  Cause,
  Change,
  ChangeEvent,
  ChangeVerb,
  CreateChange,
  CreateSubresourceChange,
  DeleteAllChange,
  DeleteChange,
  PatchChange,
  RawPatchChange,
  ReplaceChange,
  StatusChange,
  WriteChange,
} from './change.js';
export type { ExecutorDependencies, WriteResult, Writer } from './change-executor.js';
export { ChangeExecutor, DryRunEnd } from './change-executor.js';
export type { ChangedObject, ChangeListener, ChangeRecord } from './change-feed.js';
export { ChangeFeed } from './change-feed.js';
export { changesDocument, changesPath } from './changes-document.js';
export type { FieldDifference } from './field-difference.js';
export { keyOf } from './object-difference.js';
export type { RemoteCluster } from './remote-cluster.js';
export { asRemoteCluster, remoteCluster } from './remote-cluster.js';
