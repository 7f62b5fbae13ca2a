import type { Machine, ObservedCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type {
  ControllerContext,
  NewCondition,
  Outcome,
  ReconcileContext,
  SampledMetric,
  Trigger,
  Watch,
} from '@slipway/runtime';
import type { KVMCluster, KVMMachine } from '../api/index.js';

type MachineStatus = NonNullable<KVMMachine['status']>;

export type MachineAddress = NonNullable<MachineStatus['addresses']>[number];
type MachineState = NonNullable<MachineStatus['machineState']>;
export type BackendName = 'local' | 'pod';

/** Bootstrap data, unchanged from the bootstrap provider. */
export interface BootstrapData {
  readonly format: 'cloud-config' | 'ignition';
  readonly value: Uint8Array;
  /** Name of the Secret with the data, in the namespace of the machine. */
  readonly secretName: string;
}

/** A machine to run: its objects, and values that were determined before the backend is called. */
export interface DesiredMachine {
  /** UUID of the virtual machine. It is in `spec.providerID` before creation, because object uids change in a move. */
  readonly uuid: string;
  readonly kvmMachine: Frozen<KVMMachine>;
  readonly kvmCluster: Frozen<KVMCluster>;
  readonly machine: Frozen<Machine>;
  readonly cluster: ObservedCluster;
  readonly isControlPlane: boolean;
  /**
   * True once the virtual machine ran. If it is lost afterwards, it must not be created again: its bootstrap token has expired
   * and its etcd member is lost. The Machine must be replaced.
   */
  readonly wasProvisioned: boolean;
  /** Reads the Secret. Called only when the data is needed. Throws BootstrapDataError. */
  readonly readBootstrapData: () => Promise<BootstrapData>;
}

/** A deleting machine. Its Machine, Cluster and KVMCluster may already be deleted. */
export interface DeletingMachine {
  readonly uuid: string;
  readonly kvmMachine: Frozen<KVMMachine>;
  readonly kvmCluster: Frozen<KVMCluster> | undefined;
}

/** Conditions set by backends: ImageReady, DisksReady, VMProvisioned, VMRunning, BootstrapSucceeded, NodeHealthy. */
export type VmCondition = Pick<NewCondition, 'type' | 'status' | 'reason' | 'message'>;

/** Observed state of a virtual machine. */
export interface VmReport {
  readonly state: MachineState;
  /** Conditions to set; others stay unchanged. VMProvisioned=True sets `status.initialization.provisioned` permanently. */
  readonly conditions: readonly VmCondition[];
  readonly addresses: readonly MachineAddress[];
  /** Value of `status.vm`. */
  readonly vm?: NonNullable<MachineStatus['vm']>;
  readonly outcome: Outcome;
}

/** Observed state of a deleting machine. */
export interface VmRemoval {
  readonly state: MachineState;
  /** Reason and message of the Deleting condition. */
  readonly condition: Pick<NewCondition, 'reason' | 'message'>;
  readonly outcome: Outcome;
}

/**
 * Backend that runs virtual machines, as processes of this host or as pods of a cluster. Every call observes the current
 * state, performs the next step and reports progress. Calls are idempotent, also after a crash of the manager, and return
 * within seconds.
 */
export interface VirtualMachineService {
  readonly backend: BackendName;
  /** Name of the host that runs the processes. A machine stays on its host. Absent if the backend is not bound to a host. */
  readonly hostName?: string;
  /** Additional watches of the machine controller: objects of the backend, and events of its virtual machines. */
  watches?(): readonly Watch[];
  triggers?(): readonly Trigger[];
  /** Metrics besides those of the machines. */
  metrics?(): readonly SampledMetric[];
  /** Registers metrics that the backend records while it runs. */
  measure?(registry: ControllerContext['metrics']): void;
  ensure(desired: DesiredMachine, context: ReconcileContext): Promise<VmReport>;
  /** Returns undefined once the process, disks and objects of the virtual machine are deleted. */
  remove(deleting: DeletingMachine, context: ReconcileContext): Promise<VmRemoval | undefined>;
  /** Reconciles what the machines of a cluster share besides the endpoint. */
  ensureCluster?(kvmCluster: Frozen<KVMCluster>, context: ReconcileContext): Promise<readonly VmCondition[]>;
  /** Called after the last machine is deleted. Returns undefined once everything is deleted. */
  removeCluster?(kvmCluster: Frozen<KVMCluster>, context: ReconcileContext): Promise<VmRemoval | undefined>;
}

/** Backends of this manager, by name. */
export interface Backends {
  readonly services: ReadonlyMap<BackendName, VirtualMachineService>;
  readonly backendDefault: BackendName;
}

/** Returns the backend of the first object that sets one. */
export function backendOf(
  { backendDefault }: Backends,
  ...objects: readonly ({ readonly spec?: { readonly backend?: BackendName } } | undefined)[]
): BackendName {
  return objects.find((object) => object?.spec?.backend !== undefined)?.spec?.backend ?? backendDefault;
}
