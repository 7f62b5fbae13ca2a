import type { Duplex } from 'node:stream';
import type { Frozen } from '@slipway/kube';
import { labels, type Machine, type ObservedCluster } from '@slipway/cluster-api';
import type { ObjectKey, ReconcileContext } from '@slipway/runtime';
import type { Endpoint, WantedEndpoint, WorkloadClusters } from '../workload/index.js';
import { registerNode, startApiServer, startEtcd } from './boot.js';
import { removeMachine } from './remove.js';

/** A virtual machine of a simulated vSphere, a QEMU that is not there: whatever switches machines on without running them. */
export interface BootedMachine {
  readonly machine: Frozen<Machine>;
  readonly cluster: ObservedCluster;
  /** Of the virtual machine, and of its Node. */
  readonly name: string;
  readonly uid: string;
  readonly address: string;
  readonly providerId: string;
  /** Asked before it is switched on: rejects when nobody wants it any more. */
  readonly confirm?: () => Promise<void>;
}

/** What 'runs' on simulated machines of other providers: the same as on those of this package. */
export interface Guests {
  /** Holds the endpoint of a cluster, which answers once its first machine has booted. */
  reserve(cluster: ObjectKey, endpoint: WantedEndpoint): Promise<Endpoint>;
  /** The machine runs: its Node is there, and what a control plane machine runs answers. Again and again the same. */
  boot(booted: BootedMachine, context: Pick<ReconcileContext, 'read' | 'clock'>): Promise<void>;
  /** What a load balancer does: the API server at an address gets a connection. False if none answers there. */
  accept(cluster: ObjectKey, address: string, connection: Duplex): boolean;
  /** Switched off, with all that ran on it. */
  shutDown(cluster: ObjectKey, name: string): Promise<void>;
  /** Nothing is left of the cluster. */
  release(cluster: ObjectKey): Promise<void>;
}

const versionDefault = 'v1.34.0';

export function createGuests(workloads: WorkloadClusters): Guests {
  return {
    async reserve(cluster, endpoint) {
      const { host, port } = (await workloads.ensure(cluster, endpoint)).listener;
      return { host, port };
    },
    async boot(booted, context) {
      const { machine, cluster, name } = booted;
      const clusterKey = { namespace: cluster.metadata.namespace ?? '', name: cluster.metadata.name ?? '' };
      const workload = await workloads.ensure(clusterKey, cluster.spec.controlPlaneEndpoint);
      // What was lost stays lost until it is switched off.
      if (workload.hasFailed(name)) return;
      if (!workload.isOn(name)) await booted.confirm?.();
      const isControlPlane = Object.hasOwn(machine.metadata.labels ?? {}, labels.controlPlane);
      const version = machine.spec.version ?? versionDefault;
      const guest = { ...booted, context, clusterKey, workload, isControlPlane, version };
      const sinceMs = workload.switchOn(name);
      await registerNode(guest);
      if (!isControlPlane) return;
      await startEtcd(guest);
      await startApiServer(guest, sinceMs);
    },
    accept: (cluster, address, connection) => workloads.get(cluster)?.acceptAt(address, connection) ?? false,
    shutDown: (cluster, name) => removeMachine(workloads, cluster, name),
    release: (cluster) => workloads.remove(cluster),
  };
}
