import type { ObservedMachine } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { NewCondition, V1beta1Condition } from '@slipway/runtime';
import type { KubeadmConfig } from '../api/index.js';
import type { EtcdState } from '../etcd/index.js';
import type { ControlPlaneObservation } from './control-plane-observation.js';

/** Conditions to set, in both styles; times are the setter's. */
export interface ConditionsToSet {
  readonly conditions: readonly NewCondition[];
  readonly v1beta1: readonly Omit<V1beta1Condition, 'lastTransitionTime'>[];
}

export interface ControlPlaneHealthInput {
  readonly machines: readonly ObservedMachine[];
  /** By name of the Machine: whether its Node is to carry kubeadm's taint is said there. */
  readonly kubeadmConfigs: ReadonlyMap<string, Frozen<KubeadmConfig>>;
  readonly isEtcdManaged: boolean;
  readonly observation: ControlPlaneObservation;
  readonly nowMs: number;
}

/** What an observation means, for every Machine and for the control plane as a whole. */
export interface ControlPlaneHealth {
  /** By name of the Machine. */
  readonly machines: ReadonlyMap<string, ConditionsToSet>;
  readonly controlPlane: ConditionsToSet;
  /** Nodes of the Machines, to reach etcd through. */
  readonly nodeNames: readonly string[];
  /** Absent when etcd is external, when nothing runs yet or when it did not answer. */
  readonly etcd?: EtcdState;
  /** False when members and Machines differ for longer than scaling explains; the control plane is not available then. */
  readonly membersMatchMachines: boolean;
}
