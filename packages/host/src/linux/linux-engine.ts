import { join } from 'node:path';
import type { Clock } from '@slipway/base';
import type { BalancerFile } from '../balancer/run-balancer.js';
import type { Backend, Engine, MachineSpec, MachineState, NetworkSpec, NetworkState } from '../engine/index.js';
import { findNodeFiles, type NodeFiles } from '../node-files/index.js';
import { answers, ensureBalancer, isBalancing } from './balancer-process.js';
import { Machines } from './machines.js';
import { Networks } from './networks.js';
import { kubeProxyProblemOf, problemsOf, thisHost } from './requirements.js';

export interface LinuxEngineOptions {
  /** The data directory of machines and networks. */
  readonly directory: string;
  /** The command that runs a load balancer. The directory of its network is appended as an argument. */
  readonly balancerCommand: readonly string[];
  readonly clock: Clock;
}

/** Returns the output directory of `slipway image prepare`. */
export function nodeFilesFolder(directory: string): string {
  return join(directory, 'node-files');
}

/** Runs machines on this Linux host. */
export class LinuxEngine implements Engine {
  readonly #networks: Networks;
  readonly #machines: Machines;

  constructor(private readonly options: LinuxEngineOptions) {
    const { directory, clock } = options;
    this.#networks = new Networks({ folder: join(directory, 'networks'), clock });
    const switchOf = (id: string): string => this.#networks.switchOf(id);
    this.#machines = new Machines({ folder: join(directory, 'machines'), switchOf, clock });
  }

  problems(): Promise<readonly string[]> {
    return problemsOf(thisHost);
  }

  kubeProxyProblem(): Promise<string | undefined> {
    return kubeProxyProblemOf(thisHost);
  }

  nodeFiles(version: string): Promise<NodeFiles> {
    return findNodeFiles(nodeFilesFolder(this.options.directory), version);
  }

  conflictingRoute(network: NetworkSpec): Promise<string | undefined> {
    return this.#networks.conflictingRoute(network);
  }

  async networkState(network: NetworkSpec, backends: readonly Backend[]): Promise<NetworkState> {
    const directory = this.#networks.directoryOf(network.id);
    const isCurrent =
      (await this.#networks.isUp(network)) && (await isBalancing(directory, balancerOf(network, backends)));
    return (await answers(network.endpoint)) ? { isCurrent } : { isCurrent, silentLog: join(directory, 'log') };
  }

  async ensureNetwork(network: NetworkSpec, backends: readonly Backend[]): Promise<void> {
    const { id } = network;
    await this.#networks.ensure(network);
    const { balancerCommand } = this.options;
    const desired = balancerOf(network, backends);
    await ensureBalancer(this.#networks.directoryOf(id), this.#networks.switchOf(id), balancerCommand, desired);
  }

  hasNetwork(id: string): Promise<boolean> {
    return this.#networks.has(id);
  }

  removeNetwork(id: string): Promise<void> {
    return this.#networks.remove(id);
  }

  machineState(id: string): Promise<MachineState> {
    return this.#machines.state(id);
  }

  hasMachine(id: string): Promise<boolean> {
    return this.#machines.has(id);
  }

  startMachine(machine: MachineSpec): Promise<void> {
    return this.#machines.start(machine);
  }

  removeMachine(id: string): Promise<void> {
    return this.#machines.remove(id);
  }
}

function balancerOf({ endpoint }: NetworkSpec, backends: readonly Backend[]): BalancerFile {
  return { listen: endpoint, backends };
}
