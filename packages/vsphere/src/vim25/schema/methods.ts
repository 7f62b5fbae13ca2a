/** A method's parameters in WSDL order after `_this`, and its result. */
export interface MethodEntry {
  readonly parameters: Readonly<Record<string, string>>;
  readonly returns?: string;
}

const vimMethods = {
  RetrieveServiceContent: { parameters: {}, returns: 'ServiceContent!' },
  Login: { parameters: { userName: 'string!', password: 'string!', locale: 'string' }, returns: 'UserSession!' },
  Logout: { parameters: {} },
  TerminateSession: { parameters: { sessionId: 'string[]' } },
  RetrievePropertiesEx: {
    parameters: { specSet: 'PropertyFilterSpec[]', options: 'RetrieveOptions!' },
    returns: 'RetrieveResult',
  },
  ContinueRetrievePropertiesEx: { parameters: { token: 'string!' }, returns: 'RetrieveResult!' },
  CreatePropertyCollector: { parameters: {}, returns: 'ManagedObjectReference!' },
  CreateFilter: {
    parameters: { spec: 'PropertyFilterSpec!', partialUpdates: 'boolean!' },
    returns: 'ManagedObjectReference!',
  },
  WaitForUpdatesEx: { parameters: { version: 'string', options: 'WaitOptions' }, returns: 'UpdateSet' },
  CancelWaitForUpdates: { parameters: {} },
  DestroyPropertyFilter: { parameters: {} },
  DestroyPropertyCollector: { parameters: {} },
  CreateContainerView: {
    parameters: { container: 'ManagedObjectReference!', type: 'string[]', recursive: 'boolean!' },
    returns: 'ManagedObjectReference!',
  },
  CreateListView: { parameters: { obj: 'ManagedObjectReference[]' }, returns: 'ManagedObjectReference!' },
  ModifyListView: {
    parameters: { add: 'ManagedObjectReference[]', remove: 'ManagedObjectReference[]' },
    returns: 'ManagedObjectReference[]',
  },
  DestroyView: { parameters: {} },
  FindByUuid: {
    parameters: {
      datacenter: 'ManagedObjectReference',
      uuid: 'string!',
      vmSearch: 'boolean!',
      instanceUuid: 'boolean',
    },
    returns: 'ManagedObjectReference',
  },
  FindByInventoryPath: { parameters: { inventoryPath: 'string!' }, returns: 'ManagedObjectReference' },
  CancelTask: { parameters: {} },
  CloneVM_Task: {
    parameters: { folder: 'ManagedObjectReference!', name: 'string!', spec: 'VirtualMachineCloneSpec!' },
    returns: 'ManagedObjectReference!',
  },
  ReconfigVM_Task: { parameters: { spec: 'VirtualMachineConfigSpec!' }, returns: 'ManagedObjectReference!' },
  UpgradeVM_Task: { parameters: { version: 'string' }, returns: 'ManagedObjectReference!' },
  PowerOnVM_Task: { parameters: { host: 'ManagedObjectReference' }, returns: 'ManagedObjectReference!' },
  PowerOffVM_Task: { parameters: {}, returns: 'ManagedObjectReference!' },
  SuspendVM_Task: { parameters: {}, returns: 'ManagedObjectReference!' },
  ShutdownGuest: { parameters: {} },
  Destroy_Task: { parameters: {}, returns: 'ManagedObjectReference!' },
  Rename_Task: { parameters: { newName: 'string!' }, returns: 'ManagedObjectReference!' },
  CreateFolder: { parameters: { name: 'string!' }, returns: 'ManagedObjectReference!' },
  CreateSnapshot_Task: {
    parameters: { name: 'string!', description: 'string', memory: 'boolean!', quiesce: 'boolean!' },
    returns: 'ManagedObjectReference!',
  },
  MarkAsTemplate: { parameters: {} },
  ReconfigureComputeResource_Task: {
    parameters: { spec: 'ComputeResourceConfigSpec!', modify: 'boolean!' },
    returns: 'ManagedObjectReference!',
  },
  HasUserPrivilegeOnEntities: {
    parameters: { entities: 'ManagedObjectReference[]', userName: 'string!', privId: 'string[]' },
    returns: 'EntityPrivilege[]',
  },
  AddAuthorizationRole: { parameters: { name: 'string!', privIds: 'string[]' }, returns: 'int!' },
  UpdateAuthorizationRole: { parameters: { roleId: 'int!', newName: 'string!', privIds: 'string[]' } },
  RemoveAuthorizationRole: { parameters: { roleId: 'int!', failIfUsed: 'boolean!' } },
  RetrieveRolePermissions: { parameters: { roleId: 'int!' }, returns: 'Permission[]' },
  RetrieveEntityPermissions: {
    parameters: { entity: 'ManagedObjectReference!', inherited: 'boolean!' },
    returns: 'Permission[]',
  },
  SetEntityPermissions: { parameters: { entity: 'ManagedObjectReference!', permission: 'Permission[]' } },
  RemoveEntityPermission: {
    parameters: { entity: 'ManagedObjectReference!', user: 'string!', isGroup: 'boolean!' },
  },
  GenerateKey: { parameters: { keyProvider: 'KeyProviderId' }, returns: 'CryptoKeyResult!' },
} as const satisfies Readonly<Record<string, MethodEntry>>;

const storagePolicyMethods = {
  PbmRetrieveServiceContent: { parameters: {}, returns: 'PbmServiceInstanceContent!' },
  PbmQueryProfile: {
    parameters: { resourceType: 'PbmProfileResourceType!', profileCategory: 'string' },
    returns: 'PbmProfileId[]',
  },
  PbmRetrieveContent: { parameters: { profileIds: 'PbmProfileId[]' }, returns: 'PbmProfile[]' },
  PbmCheckRequirements: {
    parameters: {
      hubsToSearch: 'PbmPlacementHub[]',
      placementSubjectRef: 'PbmServerObjectRef',
      placementSubjectRequirement: 'PbmPlacementRequirement[]',
    },
    returns: 'PbmPlacementCompatibilityResult[]',
  },
  PbmQueryAssociatedProfiles: {
    parameters: { entities: 'PbmServerObjectRef[]' },
    returns: 'PbmQueryProfileResult[]',
  },
} as const satisfies Readonly<Record<string, MethodEntry>>;

export const methods = { ...vimMethods, ...storagePolicyMethods } as const;
export type MethodName = keyof typeof methods;
export type StoragePolicyMethodName = keyof typeof storagePolicyMethods;
export type VimMethodName = keyof typeof vimMethods;
