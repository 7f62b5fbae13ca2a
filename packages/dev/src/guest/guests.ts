import type { Duplex } from 'node:stream';
import type { Frozen } from '@slipway/kube';
import { labels, type Machine, type ObservedCluster } from '@slipway/cluster-api';
import type { ObjectKey, ReconcileContext } from '@slipway/runtime';
import type { Endpoint, RequestedEndpoint, WorkloadClusters } from '../workload/index.js';
import { registerNode, startApiServer, startEtcd } from './boot.js';
import { removeMachine } from './remove.js';

/** A simulated virtual machine of another provider, such as a vCenter simulator or simulated QEMU. */
export interface BootedMachine {
  readonly machine: Frozen<Machine>;
  readonly cluster: ObservedCluster;
  /** Name of the virtual machine and of its Node. */
  readonly name: string;
  readonly uid: string;
  readonly address: string;
  readonly providerId: string;
  /** Called before the machine is switched on. Rejects if the object of the machine was deleted. */
  readonly confirm?: () => Promise<void>;
}

/** Simulates the software on simulated machines of other providers, in the same way as on machines of this package. */
export interface Guests {
  /** Reserves the endpoint of a cluster. It responds once the first control plane machine has booted. */
  reserve(cluster: ObjectKey, endpoint: RequestedEndpoint): Promise<Endpoint>;
  /** Boots the machine: creates its Node and, on a control plane machine, starts its components. Idempotent. */
  boot(booted: BootedMachine, context: Pick<ReconcileContext, 'read' | 'clock'>): Promise<void>;
  /** Forwards a connection to the API server at an address, like a load balancer. Returns false if no API server runs there. */
  accept(cluster: ObjectKey, address: string, connection: Duplex): boolean;
  /** Switches the machine off and stops everything on it. */
  shutDown(cluster: ObjectKey, name: string): Promise<void>;
  /** Removes the simulated cluster. */
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
      // A failed machine stays failed until it is switched off.
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
