import type { Seed } from '../bootstrap/index.js';
import type { NodeFiles } from '../node-files/index.js';

/** The layer 2 network of the machines of a cluster. */
export interface NetworkSpec {
  /** A unique ID that is never reused for another cluster. */
  readonly id: string;
  /** `10.231.0.0/24` */
  readonly cidr: string;
  /** The address of this host in the network, which is the default gateway of the machines. */
  readonly gateway: string;
  /** The address of the load balancer, which both machines and this host use. */
  readonly endpoint: { readonly host: string; readonly port: number };
}

export interface Backend {
  readonly host: string;
  readonly port: number;
}

export interface MachineSpec {
  readonly id: string;
  /** Host name. */
  readonly name: string;
  readonly networkId: string;
  /** The address with its prefix length: `10.231.0.10/24`. */
  readonly address: string;
  readonly gateway: string;
  readonly providerId: string;
  readonly nodeFiles: NodeFiles;
  readonly seed: Seed;
}

export interface MachineState {
  /** `ended` means that the machine ran and has exited. */
  readonly phase: 'absent' | 'running' | 'ended';
  readonly bootstrap: 'pending' | 'running' | 'succeeded' | 'failed';
  /** The log file to read after a failure. */
  readonly log: string;
}

export interface NetworkState {
  /** Whether the network and its load balancer match the desired state. */
  readonly isCurrent: boolean;
  /** The log file that shows why the load balancer does not respond. Undefined if it responds. */
  readonly silentLog?: string;
}

/** Runs machines. All calls are idempotent, even across a restart of the process. */
export interface Engine {
  /** Returns the unmet requirements of this host, each as a sentence with its remedy. */
  problems(): Promise<readonly string[]>;
  /** Returns why kube-proxy cannot run on this host, with the remedy. Undefined if it can. */
  kubeProxyProblem(): Promise<string | undefined>;
  nodeFiles(version: string): Promise<NodeFiles>;
  /** Returns the first route of this host that overlaps with the network, except the route of the network itself. */
  conflictingRoute(network: NetworkSpec): Promise<string | undefined>;
  networkState(network: NetworkSpec, backends: readonly Backend[]): Promise<NetworkState>;
  ensureNetwork(network: NetworkSpec, backends: readonly Backend[]): Promise<void>;
  /** Whether any part of the network still exists. */
  hasNetwork(id: string): Promise<boolean>;
  removeNetwork(id: string): Promise<void>;
  machineState(id: string): Promise<MachineState>;
  /** Whether any part of the machine still exists, even if the machine never started. */
  hasMachine(id: string): Promise<boolean>;
  startMachine(machine: MachineSpec): Promise<void>;
  /** Stops the machine and removes its processes, mounts and files. */
  removeMachine(id: string): Promise<void>;
}
