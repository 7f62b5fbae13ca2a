import { isDeleting, type ObservedMachine } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import { isConditionTrue } from '@slipway/runtime';
import type { KubeadmConfig } from '../api/index.js';
import { controlPlaneMachineConditions } from '../api/index.js';
import type { EtcdState } from '../etcd/index.js';
import type { ObservedControlPlane } from '../workload/index.js';

export type { ObservedControlPlane };
export type ObservedKubeadmConfig = Frozen<KubeadmConfig>;

/** What is read of a Cluster here. Narrow, because its whole type is too deep to be passed around. */
export interface ClusterView {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly spec?: {
    readonly paused?: boolean;
    readonly controlPlaneEndpoint?: { readonly host?: string; readonly port?: number };
    readonly topology?: { readonly version?: string };
  };
  readonly status?: {
    readonly initialization?: { readonly infrastructureProvisioned?: boolean };
    readonly failureDomains?: readonly { readonly name: string; readonly controlPlane?: boolean }[];
  };
}

/** A machine of the control plane with the two objects that were made for it. */
export interface MachineView {
  readonly machine: ObservedMachine;
  readonly config: ObservedKubeadmConfig | undefined;
  readonly infrastructure: Frozen<KubeObject> | undefined;
  /** Why it has to be replaced, one sentence each; empty while it is as the control plane wants it. */
  readonly outdated: readonly string[];
  /** The Node by the machine's provider ID, for machines that have not told their Node yet. */
  readonly nodeName?: string;
}

/** All that decisions about a control plane are made from. */
export interface ControlPlaneView {
  readonly controlPlane: ObservedControlPlane;
  readonly cluster: ClusterView;
  /** Oldest first. */
  readonly machines: readonly MachineView[];
  /** Undefined while nobody could be asked, and always with an external etcd. */
  readonly etcd: EtcdState | undefined;
  /** Nodes of the control plane that nobody hears of. */
  readonly silentNodes: ReadonlySet<string>;
  readonly nowMs: number;
}

export function isEtcdManaged(controlPlane: ObservedControlPlane): boolean {
  return controlPlane.spec.kubeadmConfigSpec?.clusterConfiguration?.etcd?.external === undefined;
}

export function isInitialized(controlPlane: ObservedControlPlane): boolean {
  return controlPlane.status?.initialization?.controlPlaneInitialized === true;
}

export function desiredReplicas(controlPlane: ObservedControlPlane): number {
  return controlPlane.spec.replicas ?? 1;
}

export function hasEndpoint(cluster: ClusterView): boolean {
  const { host = '', port = 0 } = cluster.spec?.controlPlaneEndpoint ?? {};
  return host !== '' && port !== 0;
}

export function isProvisioned(cluster: ClusterView): boolean {
  return cluster.status?.initialization?.infrastructureProvisioned === true;
}

export function nodeOf(machine: ObservedMachine): string | undefined {
  return machine.status?.nodeRef?.name;
}

/** The conditions that a machine reports when all that runs on it for the control plane does. */
export function componentConditions(etcdManaged: boolean): readonly string[] {
  const { apiServerPodHealthy, controllerManagerPodHealthy, schedulerPodHealthy } = controlPlaneMachineConditions;
  const { etcdPodHealthy, etcdMemberHealthy } = controlPlaneMachineConditions;
  const components = [apiServerPodHealthy, controllerManagerPodHealthy, schedulerPodHealthy];
  return etcdManaged ? [...components, etcdPodHealthy, etcdMemberHealthy] : components;
}

/** An API server talks to the etcd beside it, the others to the API server beside them: they work together or not at all. */
export function hasHealthyComponents(machine: ObservedMachine, etcdManaged: boolean): boolean {
  const { etcdMemberHealthy } = controlPlaneMachineConditions;
  return componentConditions(etcdManaged)
    .filter((type) => type !== etcdMemberHealthy)
    .every((type) => isConditionTrue(machine, type));
}

export function hasHealthyMember(machine: ObservedMachine): boolean {
  return isConditionTrue(machine, controlPlaneMachineConditions.etcdMemberHealthy);
}

export function deletingMachines(view: ControlPlaneView): MachineView[] {
  return view.machines.filter(({ machine }) => isDeleting(machine));
}

/** Machines to replace; those that go anyway are replaced without being asked. */
export function machinesToRollOut(view: ControlPlaneView): MachineView[] {
  return view.machines.filter(({ machine, outdated }) => outdated.length > 0 && !isDeleting(machine));
}
