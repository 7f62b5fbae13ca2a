import { compareNames, nameOf, type ObservedMachine } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { KubeadmConfig } from '../api/index.js';
import type { EtcdState } from '../etcd/index.js';
import { noteComponents } from './component-findings.js';
import type { ControlPlaneObservation } from './control-plane-workload.js';
import { noteEtcd, noteExternalEtcd } from './etcd-findings.js';
import { type ConditionsToSet, FindingBook } from './finding.js';

export interface ControlPlaneHealthInput {
  readonly machines: readonly ObservedMachine[];
  /** KubeadmConfigs by Machine name. They determine whether a Node should have the taint of kubeadm. */
  readonly kubeadmConfigs: ReadonlyMap<string, Frozen<KubeadmConfig>>;
  readonly isEtcdManaged: boolean;
  readonly observation: ControlPlaneObservation;
  readonly nowMs: number;
}

/** The health of every Machine and of the control plane as a whole, computed from an observation. */
export interface ControlPlaneHealth {
  /** Conditions by Machine name. */
  readonly machines: ReadonlyMap<string, ConditionsToSet>;
  readonly controlPlane: ConditionsToSet;
  /** Absent if etcd is external, if no machine runs yet or if etcd did not respond. */
  readonly etcd?: EtcdState;
  /**
   * False if members and Machines differ for longer than scaling explains. In that case the control plane is not
   * available.
   */
  readonly membersMatchMachines: boolean;
}

export function controlPlaneHealth(input: ControlPlaneHealthInput): ControlPlaneHealth {
  const machines = [...input.machines].sort(compareNames);
  const books = new Map(machines.map((machine) => [nameOf(machine), new FindingBook()]));
  const controlPlane = new FindingBook();
  noteComponents({ ...input, machines }, books, controlPlane);
  let membersMatchMachines = true;
  if (input.isEtcdManaged) membersMatchMachines = noteEtcd({ ...input, machines }, books, controlPlane);
  else noteExternalEtcd(controlPlane);
  const { etcd } = input.observation;
  return {
    machines: new Map([...books].map(([name, book]) => [name, book.toSet()])),
    controlPlane: controlPlane.toSet(),
    ...(etcd !== undefined && 'state' in etcd ? { etcd: etcd.state } : {}),
    membersMatchMachines,
  };
}
