import type { Clock, Logger } from '@slipway/base';
import { nameOf, type ObservedMachine, type WorkloadCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { KeySource } from '@slipway/pki';
import { type Node, type ObjectKey, type Reader, type ReconcileContext, secrets } from '@slipway/runtime';
import {
  CertificateError,
  certificateOf,
  controlPlaneCertificates,
  type KeyPair,
  readCertificates,
} from '../certificates/index.js';
import {
  createEtcdCluster,
  type EtcdCallOptions,
  EtcdClientCredentials,
  type EtcdCluster,
  type EtcdCredentials,
  type EtcdDialer,
  type EtcdMember,
  type PortForwardDialOptions,
} from '../etcd/index.js';
import { updateCoreDns, updateKubeProxy } from './add-ons.js';
import { apiServerCertificateExpiry } from './api-server-certificate.js';
import { hasKubeadmConfigMap, updateKubeadmConfig } from './cluster-configuration.js';
import type {
  ControlPlaneObservation,
  ControlPlaneWorkload,
  ObservedControlPlane,
  UpkeepScope,
} from './control-plane-workload.js';
import { observeControlPlane } from './observe-control-plane.js';
import { ensurePermissions } from './permissions.js';

interface EtcdTimeouts {
  /** `--etcd-dial-timeout-duration` and `--etcd-call-timeout-duration`. */
  readonly dialTimeoutMs?: number;
  readonly callTimeoutMs?: number;
}

export interface WorkloadDependencies extends EtcdTimeouts, UpkeepScope {
  readonly workload: WorkloadCluster;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns the etcd credentials. Called when etcd is first needed, unless a dialer is given. */
  readonly etcdCredentials: () => Promise<EtcdCredentials>;
  /** Replaces the port-forward to etcd Pods. */
  readonly etcdDialer?: EtcdDialer;
}

export interface WorkloadOpenerOptions extends EtcdTimeouts {
  readonly keys: KeySource;
}

interface WorkloadToOpen {
  readonly cluster: ObjectKey;
  readonly controlPlane: ObservedControlPlane;
  readonly workload: WorkloadCluster;
}

export type WorkloadOpener = (
  target: WorkloadToOpen,
  context: Pick<ReconcileContext, 'read' | 'change' | 'changeAll' | 'clock' | 'random' | 'logger' | 'signal'>,
) => ControlPlaneWorkload;

/** Opens workload clusters for a controller. Client certificates for etcd are issued once and cached. */
export function createWorkloadOpener({ keys, ...timeouts }: WorkloadOpenerOptions): WorkloadOpener {
  let credentials: EtcdClientCredentials | undefined;
  return ({ cluster, workload }, context) => {
    const { read, clock, random, logger, signal } = context;
    credentials ??= new EtcdClientCredentials({ clock, random, keys });
    const issued = credentials;
    return createControlPlaneWorkload({
      ...timeouts,
      workload,
      writer: context,
      clock,
      logger,
      signal,
      etcdCredentials: async () => issued.for(await readEtcdAuthority(read, cluster, signal)),
    });
  };
}

async function readEtcdAuthority(read: Reader, cluster: ObjectKey, signal: AbortSignal): Promise<KeyPair> {
  const desired = controlPlaneCertificates().filter(({ purpose }) => purpose === 'etcd');
  const name = `${cluster.name}-etcd`;
  const secret = await read.get(secrets, { namespace: cluster.namespace, name }, { signal });
  const keyPair = certificateOf(readCertificates(desired, new Map([[name, secret]]), cluster.name), 'etcd')?.keyPair;
  if (keyPair === undefined)
    throw new CertificateError('Missing', 'etcd', `Secret ${name} has no certificate for etcd`);
  return keyPair;
}

export function createControlPlaneWorkload(dependencies: WorkloadDependencies): ControlPlaneWorkload {
  return new ConnectedWorkload(dependencies);
}

class ConnectedWorkload implements ControlPlaneWorkload {
  readonly #dependencies: WorkloadDependencies;
  #etcd: Promise<EtcdCluster> | undefined;

  constructor(dependencies: WorkloadDependencies) {
    this.#dependencies = dependencies;
  }

  hasKubeadmConfig(): Promise<boolean> {
    return hasKubeadmConfigMap(this.#dependencies);
  }

  async observe(
    machines: readonly ObservedMachine[],
    { isEtcdManaged }: { readonly isEtcdManaged: boolean },
  ): Promise<ControlPlaneObservation> {
    const { workload, signal } = this.#dependencies;
    const etcd = isEtcdManaged ? () => this.#openEtcd() : undefined;
    const observation = await observeControlPlane(machines, { read: workload.read, etcd, signal });
    this.#logFailures(observation);
    return observation;
  }

  ensurePermissions({ spec }: ObservedControlPlane): Promise<void> {
    return ensurePermissions(this.#dependencies, spec.version);
  }

  updateKubeadmConfig(controlPlane: ObservedControlPlane): Promise<void> {
    return updateKubeadmConfig(this.#dependencies, controlPlane);
  }

  updateKubeProxy(controlPlane: ObservedControlPlane): Promise<void> {
    return updateKubeProxy(this.#dependencies, controlPlane);
  }

  updateCoreDns(controlPlane: ObservedControlPlane): Promise<void> {
    return updateCoreDns(this.#dependencies, controlPlane);
  }

  async removeEtcdMember(
    member: Pick<EtcdMember, 'id' | 'name'>,
    nodes: readonly Frozen<Node>[],
    options: EtcdCallOptions = {},
  ): Promise<void> {
    await (await this.#openEtcd()).removeMember(member, nodes.map(nameOf), options);
  }

  async forwardEtcdLeadership(fromNode: string, toNode: string, options: EtcdCallOptions = {}): Promise<void> {
    await (await this.#openEtcd()).forwardLeadership(fromNode, toNode, options);
  }

  apiServerCertificateExpiry(nodeName: string, port: number): Promise<number> {
    return apiServerCertificateExpiry(this.#dependencies, nodeName, port);
  }

  #openEtcd(): Promise<EtcdCluster> {
    const { clock, dialTimeoutMs, callTimeoutMs } = this.#dependencies;
    const timeouts = {
      ...(dialTimeoutMs === undefined ? {} : { dialTimeoutMs }),
      ...(callTimeoutMs === undefined ? {} : { callTimeoutMs }),
    };
    this.#etcd ??= this.#etcdAccess().then((access) => createEtcdCluster({ ...access, clock, ...timeouts }));
    return this.#etcd;
  }

  async #etcdAccess(): Promise<{ dial: EtcdDialer } | PortForwardDialOptions> {
    const { workload, etcdCredentials, etcdDialer } = this.#dependencies;
    if (etcdDialer !== undefined) return { dial: etcdDialer };
    const credentials = await etcdCredentials();
    return { portForward: (pod, port, options) => workload.portForward(pod, port, options), credentials };
  }

  /** Logs failures that users cannot act on. Conditions refer to the log for them. */
  #logFailures({ pods, etcd }: ControlPlaneObservation): void {
    const { logger } = this.#dependencies;
    for (const [Pod, seen] of pods) {
      if ('failure' in seen) logger.error({ Pod, failure: seen.failure }, 'Failed to get Pod');
    }
    if (etcd !== undefined && 'failed' in etcd)
      logger.error({ step: etcd.failed, failure: etcd.message }, 'Failed to get current etcd members and alarms');
  }
}
