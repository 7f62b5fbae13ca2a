import type { Data, ObjectRef } from '../schema/index.js';

/** Types of properties by path. */
interface PropertyTypes {
  readonly name: string;
  readonly parent: ObjectRef;
  readonly owner: ObjectRef;
  readonly datastore: readonly ObjectRef[];
  readonly resourcePool: ObjectRef | readonly ObjectRef[];
  readonly host: readonly ObjectRef[];
  readonly childEntity: readonly ObjectRef[];
  readonly vmFolder: ObjectRef;
  readonly hostFolder: ObjectRef;
  readonly datastoreFolder: ObjectRef;
  readonly networkFolder: ObjectRef;
  readonly view: readonly ObjectRef[];
  readonly summary: Data<'DatastoreSummary'> | Data<'OpaqueNetworkSummary'> | Data<'NetworkSummary'>;
  readonly key: string;
  readonly roleList: readonly Data<'AuthorizationRole'>[];
  readonly privilegeList: readonly Data<'AuthorizationPrivilege'>[];
  readonly uuid: string;
  readonly currentSession: Data<'UserSession'>;
  readonly sessionList: readonly Data<'UserSession'>[];
  readonly configurationEx: Data<'ClusterConfigInfoEx'>;
  readonly snapshot: Data<'VirtualMachineSnapshotInfo'>;
  readonly info: Data<'TaskInfo'>;
  readonly 'info.state': string;
  readonly 'info.error': Data<'LocalizedMethodFault'>;
  readonly 'info.result': unknown;
  readonly 'config.uuid': string;
  readonly 'config.instanceUuid': string;
  readonly 'config.version': string;
  readonly 'config.template': boolean;
  readonly 'config.flags': Data<'VirtualMachineFlagInfo'>;
  readonly 'config.product': Data<'AboutInfo'>;
  readonly 'config.extraConfig': readonly Data<'OptionValue'>[];
  readonly 'config.hardware.device': readonly Data<'VirtualDevice'>[];
  readonly 'config.distributedVirtualSwitch': ObjectRef;
  readonly 'config.segmentId': string;
  readonly 'config.logicalSwitchUuid': string;
  readonly 'guest.ipAddress': string;
  readonly 'guest.hostName': string;
  readonly 'guest.net': readonly Data<'GuestNicInfo'>[];
  readonly 'guest.toolsRunningStatus': string;
  readonly 'guest.guestStateChangeSupported': boolean;
  readonly 'runtime.powerState': string;
  readonly 'runtime.connectionState': string;
  readonly 'runtime.host': ObjectRef;
  readonly 'summary.runtime.host': ObjectRef;
}

export type PropertyPath = keyof PropertyTypes;
export type Properties<Path extends PropertyPath> = { readonly [Key in Path]?: PropertyTypes[Key] };
