export type {
  ApplyChange,
  CallChange,
  Cause,
  Change,
  ChangeVerb,
  CreateChange,
  CreateSubresourceChange,
  DeleteChange,
  PatchChange,
  RawPatchChange,
  ReplaceChange,
  StatusChange,
} from './change.js';
export type { ExecutorDependencies, WriteResult, Writer } from './change-executor.js';
export { ChangeExecutor, DryRunEnd } from './change-executor.js';
export type { ChangeCounts, ChangeRecord } from './change-feed.js';
export { ChangeFeed } from './change-feed.js';
export { changesDocument, changesPath, readChanges } from './changes-document.js';
export { edit } from './edit.js';
export type { EventFact, EventRecorder } from './events.js';
export { silentEventRecorder } from './events.js';
export { isDeleting, keyOf } from './object-difference.js';
export { redact } from './redact.js';
export type { ConnectRemote, RemoteClient, RemoteCluster } from './remote-cluster.js';
export { asRemoteCluster, remoteCluster } from './remote-cluster.js';
export type { Summaries } from './summaries.js';
