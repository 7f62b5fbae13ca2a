import * as clusterApi from '@slipway/cluster-api';
import * as dev from '@slipway/dev';
import * as kubeadm from '@slipway/kubeadm';
import type { KindSet } from '@slipway/plane';
import type { Client } from '@slipway/runtime';

/** Every kind of Cluster API, kubeadm and the in-memory infrastructure, as the command serves them. */
export function simulatedKinds(
  client: Client,
  findDefinition: clusterApi.FindDefinition,
  features: clusterApi.FeatureGates,
): KindSet {
  const conversions = [...clusterApi.clusterApiConversions, ...kubeadm.kubeadmConversions, ...dev.devConversions];
  const admissions = [...clusterApi.clusterApiAdmission, ...kubeadm.kubeadmAdmission, ...dev.devAdmission];
  return {
    name: 'slipway',
    kinds: [...clusterApi.clusterApiKinds, ...kubeadm.kubeadmKinds, ...dev.devKinds],
    converters: clusterApi.createConverters(conversions, clusterApi.contractVersionsFrom(findDefinition)),
    rules: clusterApi.bindAdmission(admissions, features, client),
  };
}
