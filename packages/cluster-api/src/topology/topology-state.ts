import type { Frozen, KubeObject } from '@slipway/kube';
import type { ClusterClass, MachineDeployment, MachineHealthCheck, MachinePool } from '../api/index.js';
import type { Contract } from '../contract/index.js';
import type { ObservedCluster } from '../reconcile/index.js';

export type { ObservedCluster };
export type ObservedClass = Frozen<ClusterClass>;
export type ObservedObject = Frozen<KubeObject>;

export type Topology = NonNullable<ObservedCluster['spec']['topology']>;
export type ControlPlaneTopology = NonNullable<Topology['controlPlane']>;
export type DeploymentTopology = NonNullable<NonNullable<Topology['workers']>['machineDeployments']>[number];
export type PoolTopology = NonNullable<NonNullable<Topology['workers']>['machinePools']>[number];

export type ControlPlaneClass = ObservedClass['spec']['controlPlane'];
export type DeploymentClass = NonNullable<NonNullable<ObservedClass['spec']['workers']>['machineDeployments']>[number];
export type PoolClass = NonNullable<NonNullable<ObservedClass['spec']['workers']>['machinePools']>[number];

/** The input of a topology: the class and the templates that it references. */
export interface Blueprint {
  readonly topology: Topology;
  readonly clusterClass: ObservedClass;
  readonly infrastructureCluster: ObservedObject;
  readonly controlPlane: {
    readonly template: ObservedObject;
    /** The contract of the objects that the template describes. It determines their field paths. */
    readonly contract: Contract;
    readonly machineInfrastructure?: ObservedObject;
  };
  readonly machineDeployments: ReadonlyMap<string, WorkerBlueprint<DeploymentClass>>;
  readonly machinePools: ReadonlyMap<string, WorkerBlueprint<PoolClass>>;
}

export interface WorkerBlueprint<Class> {
  readonly workerClass: Class;
  readonly bootstrap: ObservedObject;
  readonly infrastructure: ObservedObject;
}

/** The current objects of a topology. Workers are keyed by topology name. */
export interface CurrentState {
  readonly cluster: ObservedCluster;
  readonly infrastructureCluster?: ObservedObject;
  readonly controlPlane?: CurrentControlPlane;
  readonly machineDeployments: ReadonlyMap<string, CurrentDeployment>;
  readonly machinePools: ReadonlyMap<string, CurrentPool>;
}

export interface CurrentControlPlane {
  readonly object: ObservedObject;
  readonly machineInfrastructure?: ObservedObject;
  readonly healthCheck?: Frozen<MachineHealthCheck>;
}

export interface CurrentDeployment {
  readonly object: Frozen<MachineDeployment>;
  /** Absent while the MachineDeployment is being deleted, because a deletion does not need the templates. */
  readonly bootstrap?: ObservedObject;
  readonly infrastructure?: ObservedObject;
  readonly healthCheck?: Frozen<MachineHealthCheck>;
  /** Whether some machines do not run the version of this object yet. */
  readonly isUpgrading: boolean;
}

export interface CurrentPool {
  readonly object: Frozen<MachinePool>;
  readonly bootstrap?: ObservedObject;
  readonly infrastructure?: ObservedObject;
  readonly isUpgrading: boolean;
}

/** The desired objects of a topology. They are private to one reconcile, and patches change them in place. */
export interface DesiredState {
  readonly cluster: DesiredCluster;
  readonly infrastructureCluster: KubeObject;
  readonly controlPlane: DesiredControlPlane;
  readonly machineDeployments: ReadonlyMap<string, DesiredDeployment>;
  readonly machinePools: ReadonlyMap<string, DesiredPool>;
}

/** The fields that a topology sets on its Cluster. */
interface DesiredCluster {
  readonly labels: Readonly<Record<string, string>>;
  /** Absent if no upgrade is in progress. */
  readonly upgradeStep?: string;
}

export interface DesiredControlPlane {
  readonly object: KubeObject;
  readonly machineInfrastructure?: KubeObject;
  readonly healthCheck?: MachineHealthCheck;
}

export interface DesiredDeployment {
  readonly object: MachineDeployment;
  readonly bootstrap: KubeObject;
  readonly infrastructure: KubeObject;
  readonly healthCheck?: MachineHealthCheck;
}

export interface DesiredPool {
  readonly object: MachinePool;
  readonly bootstrap: KubeObject;
  readonly infrastructure: KubeObject;
}
