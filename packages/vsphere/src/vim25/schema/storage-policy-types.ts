/** Types of the storage policy service. Elements are in WSDL order. */
export const storagePolicyTypes = {
  PbmServiceInstanceContent: {
    fields: { profileManager: 'ManagedObjectReference!', placementSolver: 'ManagedObjectReference!' },
  },
  PbmProfileResourceType: { fields: { resourceType: 'string!' } },
  PbmProfileId: { fields: { uniqueId: 'string!' } },
  PbmProfile: { fields: { profileId: 'PbmProfileId!', name: 'string!' } },
  PbmPlacementHub: { fields: { hubType: 'string!', hubId: 'string!' } },
  PbmPlacementRequirement: { fields: {} },
  PbmPlacementCapabilityProfileRequirement: {
    base: 'PbmPlacementRequirement',
    fields: { profileId: 'PbmProfileId!' },
  },
  PbmPlacementCompatibilityResult: { fields: { hub: 'PbmPlacementHub!', error: 'LocalizedMethodFault[]' } },
  PbmServerObjectRef: { fields: { objectType: 'string!', key: 'string!', serverUuid: 'string' } },
  PbmQueryProfileResult: { fields: { object: 'PbmServerObjectRef!', profileId: 'PbmProfileId[]' } },
} as const;
