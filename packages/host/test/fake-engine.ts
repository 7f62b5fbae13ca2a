import { isDeepStrictEqual } from 'node:util';
import { NodeFilesMissing } from '../src/node-files/index.js';
import type { Backend, Engine, MachineSpec, MachineState, NetworkSpec, NetworkState } from '../src/engine/index.js';
import type { NodeFiles } from '../src/node-files/index.js';

/** Simulates machines. Tests set their state, and read which machines were started. */
export class FakeEngine implements Engine {
  missing: string[] = [];
  withoutKubeProxy: string | undefined;
  prepared = new Set(['v1.36.3']);
  /** The log file of a load balancer that does not respond. */
  silentLog: string | undefined;
  routes = new Map<string, string>();
  readonly networks = new Map<string, NetworkSpec & { backends: readonly Backend[] }>();
  readonly machines = new Map<string, MachineSpec>();
  readonly states = new Map<string, Partial<MachineState>>();

  problems(): Promise<readonly string[]> {
    return Promise.resolve(this.missing);
  }

  kubeProxyProblem(): Promise<string | undefined> {
    return Promise.resolve(this.withoutKubeProxy);
  }

  nodeFiles(version: string): Promise<NodeFiles> {
    if (!this.prepared.has(version)) return Promise.reject(new NodeFilesMissing(version));
    return Promise.resolve({ kubernetesVersion: version, sandboxImage: 'pause', images: [], directory: '/files' });
  }

  conflictingRoute({ cidr }: NetworkSpec): Promise<string | undefined> {
    return Promise.resolve(this.routes.get(cidr));
  }

  networkState(network: NetworkSpec, backends: readonly Backend[]): Promise<NetworkState> {
    const isCurrent = isDeepStrictEqual(this.networks.get(network.id), { ...network, backends });
    return Promise.resolve({ isCurrent, ...(this.silentLog !== undefined && { silentLog: this.silentLog }) });
  }

  ensureNetwork(network: NetworkSpec, backends: readonly Backend[]): Promise<void> {
    this.networks.set(network.id, { ...network, backends });
    return Promise.resolve();
  }

  hasNetwork(id: string): Promise<boolean> {
    return Promise.resolve(this.networks.has(id));
  }

  removeNetwork(id: string): Promise<void> {
    this.networks.delete(id);
    return Promise.resolve();
  }

  machineState(id: string): Promise<MachineState> {
    const phase = this.machines.has(id) ? 'running' : 'absent';
    return Promise.resolve({ phase, bootstrap: 'succeeded', log: '/log', ...this.states.get(id) });
  }

  hasMachine(id: string): Promise<boolean> {
    return Promise.resolve(this.machines.has(id));
  }

  startMachine(machine: MachineSpec): Promise<void> {
    this.machines.set(machine.id, machine);
    return Promise.resolve();
  }

  removeMachine(id: string): Promise<void> {
    this.machines.delete(id);
    return Promise.resolve();
  }

  /** Returns the machine that was started under a name. */
  named(name: string): MachineSpec | undefined {
    return [...this.machines.values()].find((machine) => machine.name === name);
  }
}
