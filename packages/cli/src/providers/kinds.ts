import * as clusterApi from '@slipway/cluster-api';
import * as dev from '@slipway/dev';
import * as host from '@slipway/host';
import type { Kind } from '@slipway/kube';
import * as kubeadm from '@slipway/kubeadm';
import * as kvm from '@slipway/kvm';
import type { KindSet } from '@slipway/plane';
import * as operator from '@slipway/operator';
import type { Client, FeatureGates } from '@slipway/runtime';
import type { Plugin } from '@slipway/provider-kit';
import * as vsphere from '@slipway/vsphere';
import { loadedPlugins } from '../plugins/index.js';

export interface KindSetOptions {
  /** Finds the CRDs of providers. Their labels map a contract version to the API version that references of v1beta1 use. */
  readonly findDefinition: clusterApi.FindDefinition;
  /** Client with which webhooks read other objects. */
  readonly client: Client;
  /** Feature gates that differ from the defaults. */
  readonly gates?: Pick<FeatureGates, 'entries'>;
}

/** The CRDs of each package. */
const builtInBundles: readonly KindBundle[] = [
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

/** All CRDs that `slipway up` serves and `slipway manager` installs, without those of plugins. */
export const slipwayKinds: readonly Kind[] = builtInBundles.flatMap((bundle) => bundle.kinds);

/** All kinds that `slipway up` serves, including those of plugins. */
export function servedKinds(): readonly Kind[] {
  return [...slipwayKinds, ...loadedPlugins().flatMap(({ plugin }) => plugin.kinds)];
}

/** All CRDs, including those of plugins, with their webhooks: `up` calls the webhooks in its own process, `manager` serves them over HTTPS. */
export function createKindSet({ client, findDefinition, gates }: KindSetOptions): KindSet {
  const features = { ...clusterApi.featureGateDefaults, ...Object.fromEntries(gates?.entries() ?? []) };
  const bundles = [...builtInBundles, ...loadedPlugins().map(({ plugin }) => pluginBundle(plugin))];
  const conversions = bundles.flatMap((bundle) => bundle.conversions);
  const admissions = bundles.flatMap((bundle) => bundle.admissions);
  return {
    name: 'slipway',
    kinds: servedKinds(),
    converters: clusterApi.createConverters(conversions, clusterApi.contractVersionsFrom(findDefinition)),
    rules: clusterApi.bindAdmission(admissions, features, client),
    // clusterctl sets these labels, and requires them for a move.
    labels: { [clusterApi.labels.clusterctl]: '' },
  };
}

interface KindBundle {
  readonly kinds: readonly Kind[];
  readonly conversions: readonly clusterApi.Conversion[];
  readonly admissions: readonly clusterApi.KindAdmission[];
}

function pluginBundle({ kinds, conversions = [], admission = [] }: Plugin): KindBundle {
  return { kinds, conversions, admissions: admission };
}
