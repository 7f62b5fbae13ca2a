import * as clusterApi from '@slipway/cluster-api';
import * as kubeadm from '@slipway/kubeadm';
import type { KindSet } from '@slipway/plane';
import type { Client } from '@slipway/runtime';
import type { Provider } from '../providers/provider.js';

/** Returns every kind of Cluster API, kubeadm and an infrastructure provider, as `slipway up` serves them. */
export function simulatedKinds(
  provider: Provider,
  client: Client,
  findDefinition: clusterApi.FindDefinition,
  features: clusterApi.FeatureGates,
): KindSet {
  const conversions = [...clusterApi.clusterApiConversions, ...kubeadm.kubeadmConversions, ...provider.conversions];
  const admissions = [...clusterApi.clusterApiAdmission, ...kubeadm.kubeadmAdmission, ...provider.admissions];
  return {
    name: 'slipway',
    kinds: [...clusterApi.clusterApiKinds, ...kubeadm.kubeadmKinds, ...provider.kinds],
    converters: clusterApi.createConverters(conversions, clusterApi.contractVersionsFrom(findDefinition)),
    rules: clusterApi.bindAdmission(admissions, features, client),
  };
}
