import type { Clock, Logger } from '@slipway/base';
import { nameOf, type ObservedMachine } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { Node, WorkloadClient } from '@slipway/runtime';
import {
  createEtcdCluster,
  type EtcdCluster,
  type EtcdCredentials,
  type EtcdDialer,
  type EtcdMember,
  type PortForwardDialOptions,
} from '../etcd/index.js';
import { apiServerCertificateExpiry } from './api-server-certificate.js';
import { updateClusterConfiguration } from './cluster-configuration.js';
import type { ControlPlaneObservation } from './control-plane-observation.js';
import { updateCoreDns } from './core-dns.js';
import { withDefaultFeatureGates } from './feature-gates.js';
import { updateKubeProxy } from './kube-proxy.js';
import { hasKubeadmConfigMap, updateKubeadmConfigMap } from './kubeadm-config-map.js';
import { observeControlPlane } from './observe-control-plane.js';
import { ensurePermissions } from './permissions.js';
import type { CallOptions, ObservedControlPlane, WorkloadCluster } from './workload-cluster.js';

export interface EtcdTimeouts {
  /** `--etcd-dial-timeout-duration` and `--etcd-call-timeout-duration`. */
  readonly dialTimeoutMs?: number;
  readonly callTimeoutMs?: number;
}

export interface WorkloadClusterOptions extends EtcdTimeouts {
  readonly client: WorkloadClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Asked for when etcd is first needed, unless a dialer knows another way. */
  readonly etcdCredentials: () => Promise<EtcdCredentials>;
  /** How etcd is reached, if not through the ports of its Pods. */
  readonly etcdDialer?: EtcdDialer;
}

export function createWorkloadCluster(options: WorkloadClusterOptions): WorkloadCluster {
  return new ConnectedWorkloadCluster(options);
}

class ConnectedWorkloadCluster implements WorkloadCluster {
  readonly #options: WorkloadClusterOptions;
  #etcd: Promise<EtcdCluster> | undefined;

  constructor(options: WorkloadClusterOptions) {
    this.#options = options;
  }

  hasKubeadmConfig(options: CallOptions = {}): Promise<boolean> {
    return hasKubeadmConfigMap(this.#options.client, options);
  }

  async observe(
    machines: readonly ObservedMachine[],
    { isEtcdManaged, signal }: CallOptions & { readonly isEtcdManaged: boolean },
  ): Promise<ControlPlaneObservation> {
    const { client } = this.#options;
    const etcd = isEtcdManaged ? () => this.#openEtcd() : undefined;
    const observation = await observeControlPlane(machines, { client, etcd, signal });
    this.#logFailures(observation);
    return observation;
  }

  ensurePermissions(controlPlane: ObservedControlPlane, options: CallOptions = {}): Promise<void> {
    return ensurePermissions(this.#options.client, controlPlane.spec.version, options);
  }

  async updateKubeadmConfig({ spec }: ObservedControlPlane, options: CallOptions = {}): Promise<void> {
    const { version, kubeadmConfigSpec } = spec;
    const said = kubeadmConfigSpec?.clusterConfiguration;
    const change = {
      version,
      ...(said === undefined ? {} : { configuration: withDefaultFeatureGates(said, version) }),
    };
    await updateKubeadmConfigMap(this.#options.client, (text) => updateClusterConfiguration(text, change), options);
  }

  updateKubeProxy(controlPlane: ObservedControlPlane, options: CallOptions = {}): Promise<void> {
    return updateKubeProxy(this.#options.client, controlPlane, options);
  }

  updateCoreDns(controlPlane: ObservedControlPlane, options: CallOptions = {}): Promise<void> {
    return updateCoreDns(this.#options.client, controlPlane, options);
  }

  async removeEtcdMember(
    member: Pick<EtcdMember, 'id' | 'name'>,
    nodes: readonly Frozen<Node>[],
    options: CallOptions = {},
  ): Promise<void> {
    await (await this.#openEtcd()).removeMember(member, nodes.map(nameOf), options);
  }

  async forwardEtcdLeadership(fromNode: string, toNode: string, options: CallOptions = {}): Promise<void> {
    await (await this.#openEtcd()).forwardLeadership(fromNode, toNode, options);
  }

  apiServerCertificateExpiry(nodeName: string, port: number, options: CallOptions = {}): Promise<number> {
    return apiServerCertificateExpiry(this.#options, nodeName, port, options);
  }

  #openEtcd(): Promise<EtcdCluster> {
    const { clock, dialTimeoutMs, callTimeoutMs } = this.#options;
    const timeouts = {
      ...(dialTimeoutMs === undefined ? {} : { dialTimeoutMs }),
      ...(callTimeoutMs === undefined ? {} : { callTimeoutMs }),
    };
    this.#etcd ??= this.#etcdAccess().then((access) => createEtcdCluster({ ...access, clock, ...timeouts }));
    return this.#etcd;
  }

  async #etcdAccess(): Promise<{ dial: EtcdDialer } | PortForwardDialOptions> {
    const { client, etcdCredentials, etcdDialer } = this.#options;
    if (etcdDialer !== undefined) return { dial: etcdDialer };
    const credentials = await etcdCredentials();
    return { portForward: (pod, port, options) => client.portForward(pod, port, options), credentials };
  }

  /** Conditions point to the log where the cause is no user's business. */
  #logFailures({ pods, etcd }: ControlPlaneObservation): void {
    const { logger } = this.#options;
    for (const [Pod, seen] of pods) {
      if ('failure' in seen) logger.error({ Pod, failure: seen.failure }, 'Failed to get Pod');
    }
    if (etcd !== undefined && 'failed' in etcd)
      logger.error({ step: etcd.failed, failure: etcd.message }, 'Failed to get current etcd members and alarms');
  }
}
