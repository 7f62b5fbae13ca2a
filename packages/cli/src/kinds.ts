import * as clusterApi from '@slipway/cluster-api';
import * as dev from '@slipway/dev';
import * as kubeadm from '@slipway/kubeadm';
import type { KindSet } from '@slipway/plane';
import type { Client, FeatureGates } from '@slipway/runtime';
import { definitionLabels } from './providers/definition-labels.js';

export interface KindSetOptions {
  /** Finds the definitions of providers, whose labels tell which version of a kind old references name. */
  readonly findDefinition: clusterApi.FindDefinition;
  /** By which rules look at other objects. */
  readonly client: Client;
  /** As the user set them; absent: as they are. */
  readonly gates?: Pick<FeatureGates, 'entries'>;
}

/** Every kind that this program carries: `up` serves them in its own process, `manager` by webhook on a Kubernetes. */
export function createKindSet({ client, findDefinition, gates }: KindSetOptions): KindSet {
  const features = { ...clusterApi.featureGateDefaults, ...Object.fromEntries(gates?.entries() ?? []) };
  const conversions = [...clusterApi.clusterApiConversions, ...kubeadm.kubeadmConversions, ...dev.devConversions];
  const admissions = [...clusterApi.clusterApiAdmission, ...kubeadm.kubeadmAdmission, ...dev.devAdmission];
  return {
    name: 'slipway',
    kinds: [...clusterApi.clusterApiKinds, ...kubeadm.kubeadmKinds, ...dev.devKinds],
    converters: clusterApi.createConverters(conversions, clusterApi.contractVersionsFrom(findDefinition)),
    rules: clusterApi.bindAdmission(admissions, features, client),
    labelsOf: definitionLabels,
  };
}
