/**
 * An owner reference between two roles. `controller` is the field of the owner reference: this owner creates and deletes the
 * child.
 */
export interface Ownership {
  readonly child: string;
  readonly owner: string;
  readonly controller: 'yes' | 'no' | 'with a topology';
}

/**
 * Every owner reference that Cluster API sets. The diagram is generated from this list; a test compares it with a running
 * cluster.
 */
export const ownerships: readonly Ownership[] = [
  { child: 'ClusterInfrastructure', owner: 'Cluster', controller: 'with a topology' },
  { child: 'ControlPlane', owner: 'Cluster', controller: 'with a topology' },
  { child: 'MachineDeployment', owner: 'Cluster', controller: 'no' },
  { child: 'MachinePool', owner: 'Cluster', controller: 'no' },
  { child: 'MachineHealthCheck', owner: 'Cluster', controller: 'no' },
  { child: 'MachineInfrastructureTemplate', owner: 'Cluster', controller: 'no' },
  { child: 'BootstrapConfigTemplate', owner: 'Cluster', controller: 'no' },
  { child: 'MachineSet', owner: 'MachineDeployment', controller: 'yes' },
  { child: 'Machine', owner: 'MachineSet', controller: 'yes' },
  { child: 'Machine', owner: 'ControlPlane', controller: 'yes' },
  { child: 'Machine', owner: 'MachinePool', controller: 'yes' },
  { child: 'MachineInfrastructure', owner: 'Machine', controller: 'yes' },
  { child: 'BootstrapConfig', owner: 'Machine', controller: 'yes' },
  { child: 'BootstrapConfig', owner: 'MachinePool', controller: 'yes' },
  { child: 'MachinePoolInfrastructure', owner: 'MachinePool', controller: 'yes' },
  { child: 'Secret', owner: 'BootstrapConfig', controller: 'yes' },
  { child: 'Secret', owner: 'ControlPlane', controller: 'yes' },
  { child: 'Secret', owner: 'ClusterResourceSet', controller: 'no' },
  { child: 'ConfigMap', owner: 'ClusterResourceSet', controller: 'no' },
  { child: 'ClusterResourceSetBinding', owner: 'ClusterResourceSet', controller: 'no' },
  { child: 'ClusterInfrastructureTemplate', owner: 'ClusterClass', controller: 'no' },
  { child: 'ControlPlaneTemplate', owner: 'ClusterClass', controller: 'no' },
  { child: 'MachineInfrastructureTemplate', owner: 'ClusterClass', controller: 'no' },
  { child: 'BootstrapConfigTemplate', owner: 'ClusterClass', controller: 'no' },
];
