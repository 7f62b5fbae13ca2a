import * as clusterApi from '@slipway/cluster-api';
import * as kubeadm from '@slipway/kubeadm';
import type { KindSet } from '@slipway/plane';
import * as dev from '../src/index.js';

const conversions = [...clusterApi.clusterApiConversions, ...kubeadm.kubeadmConversions, ...dev.devConversions];

/** Returns the kinds of Cluster API, kubeadm and this package, as `slipway` serves them. */
export function allKinds(findDefinition: clusterApi.FindDefinition): KindSet {
  const admissions = [...clusterApi.clusterApiAdmission, ...kubeadm.kubeadmAdmission, ...dev.devAdmission];
  return {
    name: 'slipway',
    kinds: [...clusterApi.clusterApiKinds, ...kubeadm.kubeadmKinds, ...dev.devKinds],
    converters: clusterApi.createConverters(conversions, clusterApi.contractVersionsFrom(findDefinition)),
    rules: clusterApi.bindAdmission(admissions, clusterApi.featureGateDefaults),
  };
}
