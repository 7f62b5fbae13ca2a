import type { Duplex } from 'node:stream';
import { KubernetesServer, type ObjectStore, servingHosts } from '@slipway/apiserver';
import { type Clock, type Logger, type Random } from '@slipway/base';
import {
  type CertificateAndKey,
  issueCertificate,
  type KeySource,
  type PrivateKey,
  publicKeyOf,
  servingTemplate,
} from '@slipway/pki';
import type { ObjectKey } from '@slipway/runtime';
import { EtcdCluster } from '../etcd/index.js';
import type { ClusterAuthorities } from './authorities.js';
import { PortForwarding } from './forward-port.js';
import type { Listener } from './listener.js';
import { clusterInfo, extensionAuthentication, namespaceObjects } from './objects/cluster-objects.js';
import { markNodeUnknown, nodeResource } from './objects/node.js';
import { SimulatedObjects } from './simulated-objects.js';
import type { WorkloadTemplates } from './workload-templates.js';

export interface WorkloadDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly keys: KeySource;
  readonly templates: WorkloadTemplates;
  /**
   * Returns the key for the serving certificates of all simulated API servers. They share one, because generating a key is the
   * slowest step.
   */
  servingKey(): Promise<PrivateKey>;
}

interface ApiServerOfMachine {
  readonly sinceMs: number;
  readonly address: string | undefined;
  /** Open connections from a load balancer. */
  readonly connections: Set<Duplex>;
  serving: Promise<CertificateAndKey> | undefined;
}

/** The state that exists once the first control plane machine has provided the cluster's keys. */
interface Running {
  readonly store: ObjectStore;
  readonly server: KubernetesServer;
  readonly objects: SimulatedObjects;
  readonly authorities: ClusterAuthorities;
}

/**
 * A simulated cluster. It has a port from the beginning, and an API server with a store once its keys exist. The port responds
 * while at least one control plane machine runs an API server.
 */
export class WorkloadCluster {
  readonly etcd: EtcdCluster;
  readonly ports: PortForwarding;
  readonly #apiServers = new Map<string, ApiServerOfMachine>();
  /** The time at which each machine was switched on. */
  readonly #switchedOn = new Map<string, number>();
  readonly #failed = new Set<string>();
  #starting: Promise<Running> | undefined;
  #running: Running | undefined;

  constructor(
    readonly key: ObjectKey,
    readonly listener: Listener,
    private readonly dependencies: WorkloadDependencies,
  ) {
    this.etcd = new EtcdCluster(`${key.namespace}/${key.name}`);
    this.ports = new PortForwarding(this, dependencies);
  }

  get url(): string {
    const { host, port } = this.listener;
    return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }

  /** Whether the API responds: a machine runs an API server, and a stacked etcd has quorum. */
  get isUp(): boolean {
    if (this.#running === undefined || this.#apiServers.size === 0) return false;
    return this.#running.authorities.etcd === undefined || this.etcd.hasQuorum;
  }

  /** The store of the cluster, for access without its API. Undefined before `start`. */
  get objects(): SimulatedObjects | undefined {
    return this.#running?.objects;
  }

  get authorities(): ClusterAuthorities | undefined {
    return this.#running?.authorities;
  }

  get server(): KubernetesServer | undefined {
    return this.#running?.server;
  }

  /** Creates the cluster's API server, which is unreachable until a machine runs it. Idempotent. */
  async start(authorities: ClusterAuthorities, version: string): Promise<SimulatedObjects> {
    this.#starting ??= this.#start(authorities, version);
    try {
      this.#running = await this.#starting;
    } catch (error) {
      this.#starting = undefined;
      throw error;
    }
    return this.#running.objects;
  }

  /** Switches the machine on if it is off. Returns the time at which it was switched on. */
  switchOn(machine: string): number {
    const since = this.#switchedOn.get(machine) ?? this.dependencies.clock.now();
    this.#switchedOn.set(machine, since);
    return since;
  }

  switchOff(machine: string): void {
    this.#switchedOn.delete(machine);
    this.#failed.delete(machine);
  }

  isOn(machine: string): boolean {
    return this.#switchedOn.has(machine);
  }

  /** The names of the machines that are switched on. */
  get machines(): readonly string[] {
    return [...this.#switchedOn.keys()];
  }

  /** Whether the machine has failed, so that nothing on it is started again. */
  hasFailed(machine: string): boolean {
    return this.#failed.has(machine);
  }

  /** Simulates the failure of a machine: its Node remains and becomes unreachable. */
  async failMachine(machine: string): Promise<void> {
    this.#failed.add(machine);
    this.removeApiServer(machine);
    this.etcd.stop(machine);
    const key = { resource: nodeResource, namespace: '', name: machine };
    await this.objects?.change(key, (draft) => markNodeUnknown(draft, this.dependencies.clock.now()));
  }

  /** Starts the API server of a machine. Its serving certificate is valid from the given time. */
  addApiServer(machine: string, sinceMs: number, address?: string): void {
    if (!this.#apiServers.has(machine))
      this.#apiServers.set(machine, { sinceMs, address, connections: new Set(), serving: undefined });
    this.listener.onConnection = (socket) => {
      const [any] = this.#apiServers.keys();
      void this.acceptFor(any ?? '', socket);
    };
  }

  removeApiServer(machine: string): void {
    for (const connection of this.#apiServers.get(machine)?.connections ?? []) connection.destroy();
    this.#apiServers.delete(machine);
    if (this.#apiServers.size === 0) this.listener.cut();
  }

  hasApiServer(machine: string): boolean {
    return this.#apiServers.has(machine);
  }

  /** Passes a connection to the API server of the machine with the address. Returns false if none runs there. */
  acceptAt(address: string, connection: Duplex): boolean {
    const [name, found] = [...this.#apiServers].find(([, server]) => server.address === address) ?? [];
    if (name === undefined || found === undefined || !this.isUp) return false;
    found.connections.add(connection);
    connection.once('close', () => found.connections.delete(connection));
    void this.acceptFor(name, connection);
    return true;
  }

  /** Passes a connection to the API server of a machine. */
  async acceptFor(machine: string, connection: Duplex): Promise<void> {
    connection.on('error', () => connection.destroy());
    try {
      const serving = await this.#servingOf(machine);
      const running = this.#running;
      if (running === undefined || serving === undefined || !this.isUp) connection.destroy();
      else running.server.accept(connection, serving);
    } catch (error) {
      this.dependencies.logger.error(
        { Cluster: this.key, err: error },
        'No serving certificate for a simulated API server',
      );
      connection.destroy();
    }
  }

  async dispose(): Promise<void> {
    this.#apiServers.clear();
    await this.listener.close();
    const running = await this.#starting?.catch(() => undefined);
    await running?.server.stop();
    await running?.store.close();
  }

  async #start(authorities: ClusterAuthorities, version: string): Promise<Running> {
    const { clock, random, logger, templates } = this.dependencies;
    const { authority, serviceAccountKey } = authorities;
    const identity = { authority, serviceAccountKey };
    const store = await templates.fork(version, identity);
    const objects = new SimulatedObjects(store, { clock, random });
    for (const namespace of namespaceObjects()) await objects.ensure(namespace);
    await objects.ensure(clusterInfo(authority.certificate, this.url));
    await objects.ensure(extensionAuthentication(authority.certificate, authorities.frontProxy));
    const server = await KubernetesServer.start({
      store,
      clock,
      random,
      logger: logger.child({ Cluster: this.key }),
      identity,
      prepared: true,
      loops: 'atFirstRequest',
      advertisedUrl: this.url,
      portForwarder: (pod, port) => this.ports.connect(pod, port),
    });
    return { store, server, objects, authorities };
  }

  /**
   * Returns the serving certificate, valid from the start of the API server. It is issued only for the first
   * connection, because most simulated clusters never get a connection.
   */
  #servingOf(machine: string): Promise<CertificateAndKey> | undefined {
    const apiServer = this.#apiServers.get(machine);
    if (apiServer === undefined) return undefined;
    apiServer.serving ??= this.#issue(machine, apiServer.sinceMs).catch((error: unknown) => {
      apiServer.serving = undefined;
      throw error;
    });
    return apiServer.serving;
  }

  async #issue(machine: string, sinceMs: number): Promise<CertificateAndKey> {
    const authority = this.#running?.authorities.authority;
    if (authority === undefined) throw new Error('the cluster has not started');
    const key = await this.dependencies.servingKey();
    const template = servingTemplate('kube-apiserver', servingHosts({ hosts: [this.listener.host, machine] }));
    const dependencies = {
      random: this.dependencies.random,
      clock: { ...this.dependencies.clock, now: () => sinceMs },
    };
    return { certificate: await issueCertificate(dependencies, authority, template, publicKeyOf(key)), key };
  }
}
