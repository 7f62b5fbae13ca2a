import type { Duplex } from 'node:stream';
import { type Logger } from '@slipway/base';
import { badRequest, formatTime, notFound, type StatusError } from '@slipway/kube';
import type { EtcdConnection } from '@slipway/kubeadm';
import {
  certificateToPem,
  issueCertificate,
  type KeySource,
  type PkiDependencies,
  type PrivateKey,
  privateKeyToPem,
  publicKeyOf,
  servingTemplate,
} from '@slipway/pki';
import type { ObjectKey } from '@slipway/runtime';
import { devAnnotations } from '../api/names.js';
import {
  type CallContext,
  connectDirectly,
  duplexPair,
  type EtcdMember,
  type EtcdServing,
  serveEtcd,
} from '../etcd/index.js';
import { podResource, systemNamespace } from './objects/static-pods.js';
import type { WorkloadCluster } from './workload-cluster.js';

export interface ForwardDependencies extends PkiDependencies {
  readonly keys: KeySource;
  readonly logger: Logger;
  servingKey(): Promise<PrivateKey>;
}

const etcdPort = 2379;
const etcdPrefix = 'etcd-';
const ticketKeysLength = 48;
const apiServerPort = 6443;
const apiServerPrefix = 'kube-apiserver-';

/** Connects to ports of simulated Pods. Only etcd and the API server accept connections. */
export class PortForwarding {
  readonly #serving = new Map<string, Promise<EtcdServing>>();

  constructor(
    private readonly workload: WorkloadCluster,
    private readonly dependencies: ForwardDependencies,
  ) {}

  /** Opens a stream to the port. Throws the StatusError that an API server returns if its kubelet cannot connect. */
  async connect(pod: ObjectKey, port: number): Promise<Duplex> {
    const found = this.workload.objects?.get(podResource, pod.namespace, pod.name);
    if (found === undefined) throw notFound({ group: '', resource: 'pods' }, pod.name);
    const apiServer = this.#apiServerOf(pod);
    if (port === apiServerPort && apiServer !== undefined) {
      const [near, far] = duplexPair();
      void this.workload.acceptFor(apiServer, far);
      return near;
    }
    const member = this.#memberOf(pod);
    if (port !== etcdPort || member === undefined) throw refused(pod, port);
    const serving = await this.#servingOf(member);
    const [near, far] = duplexPair();
    serveEtcd(far, serving, this.#contextOf(member), this.dependencies.logger);
    return near;
  }

  /** Connects to the etcd member of a Node by function calls, for simulations without a network. */
  dialEtcd(nodeName: string): EtcdConnection {
    const pod = { namespace: systemNamespace, name: `${etcdPrefix}${nodeName}` };
    if (this.workload.objects?.get(podResource, pod.namespace, pod.name) === undefined)
      throw notFound({ group: '', resource: 'pods' }, pod.name);
    const member = this.#memberOf(pod);
    if (member === undefined) throw refused(pod, etcdPort);
    return connectDirectly(this.#contextOf(member));
  }

  #contextOf(member: EtcdMember): CallContext {
    return { etcd: this.workload.etcd, member, changed: () => this.#annotatePods() };
  }

  #apiServerOf({ namespace, name }: ObjectKey): string | undefined {
    if (namespace !== systemNamespace || !name.startsWith(apiServerPrefix)) return undefined;
    const machine = name.slice(apiServerPrefix.length);
    return this.workload.hasApiServer(machine) ? machine : undefined;
  }

  #memberOf({ namespace, name }: ObjectKey): EtcdMember | undefined {
    if (namespace !== systemNamespace || !name.startsWith(etcdPrefix)) return undefined;
    return this.workload.etcd.running(name.slice(etcdPrefix.length));
  }

  #servingOf(member: EtcdMember): Promise<EtcdServing> {
    const id = String(member.id);
    let serving = this.#serving.get(id);
    if (serving === undefined) {
      serving = this.#issue(member);
      this.#serving.set(id, serving);
      serving.catch(() => this.#serving.delete(id));
    }
    return serving;
  }

  async #issue({ name, address }: EtcdMember): Promise<EtcdServing> {
    const authority = this.workload.authorities?.etcd;
    if (authority === undefined) throw badRequest('the cluster uses external etcd, which is not simulated');
    const key = await this.dependencies.servingKey();
    const template = servingTemplate(name, [name, 'localhost', '127.0.0.1', '::1', address]);
    const certificate = await issueCertificate(this.dependencies, authority, template, publicKeyOf(key));
    return {
      certificate: certificateToPem(certificate),
      key: privateKeyToPem(key),
      authority: certificateToPem(authority.certificate),
      ticketKeys: Buffer.from(this.dependencies.random.bytes(ticketKeysLength)),
    };
  }

  /** Records the leader and removed members as annotations of the Pods, as upstream's simulation does. */
  async #annotatePods(): Promise<void> {
    const { objects, etcd } = this.workload;
    const now = formatTime(this.dependencies.clock.now());
    for (const pod of objects?.list(podResource, systemNamespace) ?? []) {
      const { name = '', annotations = {} } = pod.metadata;
      const id = annotations[devAnnotations.etcdMemberId];
      if (id === undefined) continue;
      const member = etcd.members.find((candidate) => String(candidate.id) === id);
      const mark = markOf(member === undefined, etcd.leader !== undefined && etcd.leader === member);
      if (mark === undefined || (mark === devAnnotations.etcdMemberRemoved && annotations[mark] !== undefined))
        continue;
      await objects?.change({ resource: podResource, namespace: systemNamespace, name }, ({ metadata }) => {
        metadata.annotations = { ...metadata.annotations, [mark]: now };
      });
    }
  }
}

function refused(pod: ObjectKey, port: number): StatusError {
  return badRequest(`failed to connect to localhost:${port} inside ${pod.namespace}/${pod.name}: connection refused`);
}

function markOf(isRemoved: boolean, isLeader: boolean): string | undefined {
  if (isRemoved) return devAnnotations.etcdMemberRemoved;
  return isLeader ? devAnnotations.etcdLeaderFrom : undefined;
}
