import { join } from 'node:path';
import type { Clock } from '@slipway/base';
import type { BalancerFile } from '../balancer/index.js';
import type { Backend, Engine, MachineSpec, MachineState, NetworkSpec, NetworkState } from '../engine/index.js';
import { findNodeFiles, type NodeFiles } from '../node-files/index.js';
import { answers, ensureBalancer, isBalancing } from './balancer-process.js';
import { Machines } from './machines.js';
import { Networks } from './networks.js';
import { problemsOf, thisComputer } from './requirements.js';

export interface LinuxEngineOptions {
  /** Where everything of machines and networks is kept. */
  readonly directory: string;
  /** The program and arguments that run a balancer; the folder of its network follows. */
  readonly balancerCommand: readonly string[];
  readonly clock: Clock;
}

/** Where `slipway image prepare` puts what nodes run. */
export function nodeFilesFolder(directory: string): string {
  return join(directory, 'node-files');
}

/** Machines on this host. */
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
    return problemsOf(thisComputer);
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
    const wanted = balancerOf(network, backends);
    await ensureBalancer(this.#networks.directoryOf(id), this.#networks.switchOf(id), balancerCommand, wanted);
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
