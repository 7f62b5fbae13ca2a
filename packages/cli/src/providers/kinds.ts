import * as clusterApi from '@slipway/cluster-api';
import * as dev from '@slipway/dev';
import * as host from '@slipway/host';
import * as kubeadm from '@slipway/kubeadm';
import * as kvm from '@slipway/kvm';
import type { KindSet } from '@slipway/plane';
import * as operator from '@slipway/operator';
import type { Client, FeatureGates } from '@slipway/runtime';
import * as vsphere from '@slipway/vsphere';

export interface KindSetOptions {
  /** Finds the definitions of providers, whose labels tell which version of a kind old references name. */
  readonly findDefinition: clusterApi.FindDefinition;
  /** By which rules look at other objects. */
  readonly client: Client;
  /** As the user set them; absent: as they are. */
  readonly gates?: Pick<FeatureGates, 'entries'>;
}

/** What each package brings: a new one is a line here. */
const bundles = [
  {
    kinds: clusterApi.clusterApiKinds,
    conversions: clusterApi.clusterApiConversions,
    admissions: clusterApi.clusterApiAdmission,
  },
  { kinds: kubeadm.kubeadmKinds, conversions: kubeadm.kubeadmConversions, admissions: kubeadm.kubeadmAdmission },
  { kinds: dev.devKinds, conversions: dev.devConversions, admissions: dev.devAdmission },
  {
    kinds: vsphere.vsphereKinds,
    conversions: vsphere.vsphereConversions,
    admissions: vsphere.createVSphereAdmission(),
  },
  { kinds: host.hostKinds, conversions: [], admissions: host.hostAdmission },
  { kinds: kvm.kvmKinds, conversions: kvm.kvmConversions, admissions: kvm.kvmAdmission },
  { kinds: operator.operatorKinds, conversions: [], admissions: operator.operatorAdmission },
];

/** Every kind that this program carries: `up` serves them in its own process, `manager` by webhook on a Kubernetes. */
export function createKindSet({ client, findDefinition, gates }: KindSetOptions): KindSet {
  const features = { ...clusterApi.featureGateDefaults, ...Object.fromEntries(gates?.entries() ?? []) };
  const conversions = bundles.flatMap((bundle) => bundle.conversions);
  const admissions = bundles.flatMap((bundle) => bundle.admissions);
  return {
    name: 'slipway',
    kinds: bundles.flatMap((bundle) => bundle.kinds),
    converters: clusterApi.createConverters(conversions, clusterApi.contractVersionsFrom(findDefinition)),
    rules: clusterApi.bindAdmission(admissions, features, client),
    // What clusterctl would put there, and looks for before it moves anything.
    labels: { [clusterApi.labels.clusterctl]: '' },
  };
}
