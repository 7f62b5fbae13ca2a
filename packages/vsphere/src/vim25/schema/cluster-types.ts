/** Groups and rules of compute clusters. Elements are in WSDL order. */
export const clusterTypes = {
  ComputeResourceConfigSpec: { fields: {} },
  ClusterConfigSpecEx: {
    base: 'ComputeResourceConfigSpec',
    fields: { rulesSpec: 'ClusterRuleSpec[]', groupSpec: 'ClusterGroupSpec[]' },
  },
  ArrayUpdateSpec: { fields: { operation: 'string!', removeKey: 'anyType' } },
  ClusterRuleSpec: { base: 'ArrayUpdateSpec', fields: { info: 'ClusterRuleInfo' } },
  ClusterGroupSpec: { base: 'ArrayUpdateSpec', fields: { info: 'ClusterGroupInfo' } },
  ClusterRuleInfo: {
    fields: { key: 'int', status: 'string', enabled: 'boolean', name: 'string', mandatory: 'boolean' },
  },
  ClusterVmHostRuleInfo: {
    base: 'ClusterRuleInfo',
    fields: { vmGroupName: 'string', affineHostGroupName: 'string', antiAffineHostGroupName: 'string' },
  },
  ClusterGroupInfo: { fields: { name: 'string!', userCreated: 'boolean', uniqueID: 'string' } },
  ClusterVmGroup: { base: 'ClusterGroupInfo', fields: { vm: 'ManagedObjectReference[]' } },
  ClusterHostGroup: { base: 'ClusterGroupInfo', fields: { host: 'ManagedObjectReference[]' } },
  ComputeResourceConfigInfo: { fields: { vmSwapPlacement: 'string' } },
  ClusterConfigInfoEx: {
    base: 'ComputeResourceConfigInfo',
    fields: { rule: 'ClusterRuleInfo[]', group: 'ClusterGroupInfo[]' },
  },
} as const;
