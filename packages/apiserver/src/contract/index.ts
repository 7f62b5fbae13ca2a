export type { Admission, AdmissionPlugin, AdmissionRequest, MutationRound, Operation } from './admission.js';
export type {
  AccessRequest,
  Authenticator,
  Authorizer,
  Credentials,
  Decision,
  ResourceAttributes,
  UserInfo,
} from './auth.js';
export type {
  CreateOnlyAnswer,
  Answer,
  Caller,
  DecodedBody,
  DeleteAnswer,
  DeleteOptions,
  FieldValidation,
  ListAnswer,
  ListOptions,
  PatchType,
  PropagationPolicy,
  Registry,
  ResourceEndpoint,
  WatchEvent,
  WatchOptions,
  WatchStream,
  WriteAnswer,
  WriteOptions,
} from './request.js';
export type {
  ResourceDefinition,
  ResourceVersionDefinition,
  ScalePaths,
  SigningRequestStrategies,
  Subresource,
  SubresourceCreate,
  TableColumn,
  TablePrinter,
  Verb,
  WriteContext,
  WriteStrategy,
} from './resource.js';
export type { Commit, ListRange, Revision, StorageKey, Store, StoredObject, StoreEvent, StoreWatch } from './store.js';
