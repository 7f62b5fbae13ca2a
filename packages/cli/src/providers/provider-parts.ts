import { clusterApiKinds, provider as inventoryEntry, labels } from '@slipway/cluster-api';
import { devKinds } from '@slipway/dev';
import type { Kind } from '@slipway/kube';
import {
  kubeadmConfig,
  kubeadmConfigTemplate,
  kubeadmControlPlane,
  kubeadmControlPlaneTemplate,
} from '@slipway/kubeadm';
import type { PolicyRule } from '@slipway/runtime';
import { kvmKinds } from '@slipway/kvm';
import { operatorKinds } from '@slipway/operator';
import { vsphereKinds, vsphereLabels } from '@slipway/vsphere';
import {
  bootstrapWrites,
  controlPlaneWrites,
  coreWrites,
  devWrites,
  kvmWrites,
  vsphereWrites,
} from './provider-writes.js';

/** What a provider is made of. */
export interface ProviderParts {
  readonly kinds: readonly Kind[];
  /** Names of controllers, or of a whole set. */
  readonly controllers: readonly string[];
  /** What its controllers write, and what they read without watching it. What they watch is known from themselves. */
  readonly writes: readonly PolicyRule[];
  /** Labels of its role. The first is the one by which further roles add to its own; others add it to their managers. */
  readonly aggregates?: readonly string[];
  /** Variables of upstream's manifests that choose features, by gate. */
  readonly featureGates?: Readonly<Record<string, string>>;
}

const controlPlaneAggregation = 'kubeadm.controlplane.cluster.x-k8s.io/aggregate-to-manager';
/** Spelled as upstream spells it. */
const vsphereAggregation = vsphereLabels.aggregateToManager;

const topologyGates = {
  MachinePool: '${EXP_MACHINE_POOL:=true}',
  ClusterTopology: '${CLUSTER_TOPOLOGY:=false}',
};

/** By label. Another provider is another entry here, and, unless it only installs others, a line in `provider-list.ts`. */
export const providerParts: Readonly<Record<string, ProviderParts>> = {
  'cluster-api': {
    // The inventory belongs to whoever installs providers, and stays when they go.
    kinds: clusterApiKinds.filter((kind) => kind !== inventoryEntry),
    controllers: ['cluster-api'],
    writes: coreWrites,
    aggregates: [labels.aggregateToManager],
    featureGates: {
      ...topologyGates,
      RuntimeSDK: '${EXP_RUNTIME_SDK:=false}',
      MachineSetPreflightChecks: '${EXP_MACHINE_SET_PREFLIGHT_CHECKS:=true}',
      InPlaceUpdates: '${EXP_IN_PLACE_UPDATES:=false}',
      MachineTaintPropagation: '${EXP_MACHINE_TAINT_PROPAGATION:=false}',
    },
  },
  'bootstrap-kubeadm': {
    kinds: [kubeadmConfig, kubeadmConfigTemplate],
    controllers: ['kubeadmconfig', 'kubeadm-bootstrap-crdmigrator'],
    writes: bootstrapWrites,
    featureGates: {
      MachinePool: '${EXP_MACHINE_POOL:=true}',
      KubeadmBootstrapFormatIgnition: '${EXP_KUBEADM_BOOTSTRAP_FORMAT_IGNITION:=false}',
    },
  },
  'control-plane-kubeadm': {
    kinds: [kubeadmControlPlane, kubeadmControlPlaneTemplate],
    controllers: ['kubeadmcontrolplane', 'kubeadm-control-plane-crdmigrator'],
    writes: controlPlaneWrites,
    aggregates: [controlPlaneAggregation],
    featureGates: topologyGates,
  },
  'infrastructure-dev': {
    kinds: devKinds,
    controllers: ['dev'],
    writes: devWrites,
    featureGates: topologyGates,
  },
  'infrastructure-kvm': { kinds: kvmKinds, controllers: ['kvm'], writes: kvmWrites },
  'infrastructure-vsphere': {
    kinds: vsphereKinds,
    controllers: ['vsphere-vcenter', 'vsphere-supervisor', 'vsphere-drivers'],
    writes: vsphereWrites,
    // Its kinds of a Supervisor have a group of their own, which those who make machines of it know nothing of.
    aggregates: [vsphereAggregation, labels.aggregateToManager, controlPlaneAggregation],
    featureGates: {
      NodeAntiAffinity: '${EXP_NODE_ANTI_AFFINITY:=false}',
      MultiNetworks: '${EXP_MULTI_NETWORKS:=false}',
      NamespaceScopedZones: '${EXP_NAMESPACE_SCOPED_ZONES:=false}',
      NodeAutoPlacement: '${EXP_NODE_AUTO_PLACEMENT:=false}',
      IPv6DualStack: '${EXP_IPV6_DUAL_STACK:=false}',
    },
  },
  // Not the kinds of others: those come with the providers that it installs, and would be fought over.
  'capi-operator': {
    kinds: [...operatorKinds, inventoryEntry],
    controllers: ['capi-operator'],
    // What it installs may be anything, and it can give no right that it does not have.
    writes: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
  },
};
