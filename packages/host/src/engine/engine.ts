import type { Seed } from '../bootstrap/index.js';
import type { NodeFiles } from '../node-files/index.js';

/** The link that the machines of a cluster share. */
export interface NetworkSpec {
  /** Never used for another cluster. */
  readonly id: string;
  /** `10.231.0.0/24` */
  readonly cidr: string;
  /** This computer on the link, and the machines' default route. */
  readonly gateway: string;
  /** Where the balancer answers, for machines and for this computer. */
  readonly endpoint: { readonly host: string; readonly port: number };
}

export interface Backend {
  readonly host: string;
  readonly port: number;
}

export interface MachineSpec {
  readonly id: string;
  /** Its host name. */
  readonly name: string;
  readonly networkId: string;
  /** With its prefix length: `10.231.0.10/24`. */
  readonly address: string;
  readonly gateway: string;
  readonly providerId: string;
  readonly nodeFiles: NodeFiles;
  readonly seed: Seed;
}

export interface MachineState {
  /** `ended`: it ran, and does so no more. */
  readonly phase: 'absent' | 'running' | 'ended';
  readonly bootstrap: 'pending' | 'running' | 'succeeded' | 'failed';
  /** Where to read what went wrong. */
  readonly log: string;
}

export interface NetworkState {
  /** True when the link and its balancer are as wanted. */
  readonly isCurrent: boolean;
  /** Where to read why the balancer does not answer; undefined when it answers. */
  readonly silentLog?: string;
}

/** Runs machines. Every call can be repeated, also by the process that follows a killed one. */
export interface Engine {
  /** What this computer lacks to run machines, each a sentence with its remedy. */
  problems(): Promise<readonly string[]>;
  nodeFiles(version: string): Promise<NodeFiles>;
  /** The first route of this computer that overlaps with the network, if it is not the network's own. */
  conflictingRoute(network: NetworkSpec): Promise<string | undefined>;
  networkState(network: NetworkSpec, backends: readonly Backend[]): Promise<NetworkState>;
  ensureNetwork(network: NetworkSpec, backends: readonly Backend[]): Promise<void>;
  /** True while anything of the network is left. */
  hasNetwork(id: string): Promise<boolean>;
  removeNetwork(id: string): Promise<void>;
  machineState(id: string): Promise<MachineState>;
  /** True while anything of the machine is left, also of one that never started. */
  hasMachine(id: string): Promise<boolean>;
  startMachine(machine: MachineSpec): Promise<void>;
  /** Ends it, and leaves nothing of it. */
  removeMachine(id: string): Promise<void>;
}
