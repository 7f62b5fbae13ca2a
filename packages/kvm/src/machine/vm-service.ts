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

/** What the first boot is to do, byte for byte as the bootstrap provider wrote it. */
export interface BootstrapData {
  readonly format: 'cloud-config' | 'ignition';
  readonly value: Uint8Array;
  /** The Secret that it comes from, in the namespace of the machine. */
  readonly secretName: string;
}

/** A machine that is to run: its objects, and what was decided before a backend is asked. */
export interface WantedMachine {
  /** Its identity: in `spec.providerID` since before it was made. Names and uids of objects change in a move. */
  readonly uuid: string;
  readonly kvmMachine: Frozen<KVMMachine>;
  readonly kvmCluster: Frozen<KVMCluster>;
  readonly machine: Frozen<Machine>;
  readonly cluster: ObservedCluster;
  readonly isControlPlane: boolean;
  /**
   * True once the virtual machine ran: one that is lost since must not be made again. Its bootstrap data has been used, its
   * token has expired, and its member of etcd is another; the Machine is to be replaced.
   */
  readonly wasProvisioned: boolean;
  /** Reads the Secret: only when something is to be made of it. Throws BootstrapDataError. */
  readonly readBootstrapData: () => Promise<BootstrapData>;
}

/** A machine that goes. It may outlive its Machine, its Cluster and its KVMCluster. */
export interface LeavingMachine {
  readonly uuid: string;
  readonly kvmMachine: Frozen<KVMMachine>;
  readonly kvmCluster: Frozen<KVMCluster> | undefined;
}

/** The conditions that backends decide on: ImageReady, DisksReady, VMProvisioned, VMRunning, BootstrapSucceeded, NodeHealthy. */
export type VmCondition = Pick<NewCondition, 'type' | 'status' | 'reason' | 'message'>;

/** How far a virtual machine is. */
export interface VmReport {
  readonly state: MachineState;
  /** Those that are left out stay as they are. VMProvisioned=True makes the machine provisioned, for ever. */
  readonly conditions: readonly VmCondition[];
  readonly addresses: readonly MachineAddress[];
  /** Goes into `status.vm`. */
  readonly vm?: NonNullable<MachineStatus['vm']>;
  readonly outcome: Outcome;
}

/** What is still there of a machine that goes. */
export interface VmLeaving {
  readonly state: MachineState;
  /** Says in the Deleting condition what it waits for. */
  readonly condition: Pick<NewCondition, 'reason' | 'message'>;
  readonly outcome: Outcome;
}

/**
 * Who runs virtual machines: processes of this host, or pods of a cluster. One reconciler serves both. Every call looks at
 * what is there, does the next step and says how far it is; it can be repeated at any time, also by a process that came
 * after one that was killed, and none takes longer than seconds.
 */
export interface VirtualMachineService {
  readonly backend: BackendName;
  /** Of the host whose processes they are: then a machine belongs to it, and no other host touches it. */
  readonly hostName?: string;
  /** What else wakes the machines' controller: objects that the service makes, and events of its machines. */
  watches?(): readonly Watch[];
  triggers?(): readonly Trigger[];
  /** Beside those of the machines themselves. */
  metrics?(): readonly SampledMetric[];
  /** Counts what it does itself from now on. */
  measure?(registry: ControllerContext['metrics']): void;
  ensure(wanted: WantedMachine, context: ReconcileContext): Promise<VmReport>;
  /** Undefined once nothing is left of the virtual machine: no process, no disk, no object. */
  remove(leaving: LeavingMachine, context: ReconcileContext): Promise<VmLeaving | undefined>;
  /** Of clusters: whatever its machines share beside their endpoint. */
  ensureCluster?(kvmCluster: Frozen<KVMCluster>, context: ReconcileContext): Promise<readonly VmCondition[]>;
  /** After the last machine. Undefined once nothing is left. */
  removeCluster?(kvmCluster: Frozen<KVMCluster>, context: ReconcileContext): Promise<VmLeaving | undefined>;
}

/** The backends of this manager. */
export interface Backends {
  readonly services: ReadonlyMap<BackendName, VirtualMachineService>;
  readonly backendDefault: BackendName;
}

/** The backend of the first object that names one. */
export function backendOf(
  { backendDefault }: Backends,
  ...objects: readonly ({ readonly spec?: { readonly backend?: BackendName } } | undefined)[]
): BackendName {
  return objects.find((object) => object?.spec?.backend !== undefined)?.spec?.backend ?? backendDefault;
}
