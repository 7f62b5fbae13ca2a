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

/** Content of a provider. */
export interface ProviderParts {
  readonly kinds: readonly Kind[];
  /** Names of controllers or controller sets. */
  readonly controllers: readonly string[];
  /** RBAC rules for writes and for reads without a watch. Watched resources are derived from the controllers. */
  readonly writes: readonly PolicyRule[];
  /**
   * Labels of the provider's ClusterRole. The first label aggregates further roles into it; the others aggregate it into other
   * managers.
   */
  readonly aggregates?: readonly string[];
  /** Package of the plugin, and its image. */
  readonly plugin?: string;
  readonly image?: string;
  /** Variables of upstream's manifests that set feature gates, by gate. */
  readonly featureGates?: Readonly<Record<string, string>>;
}

const controlPlaneAggregation = 'kubeadm.controlplane.cluster.x-k8s.io/aggregate-to-manager';
/** Label of aggregated roles. The misspelling is upstream's. */
const vsphereAggregation = vsphereLabels.aggregateToManager;

const topologyGates = {
  MachinePool: '${EXP_MACHINE_POOL:=true}',
  ClusterTopology: '${CLUSTER_TOPOLOGY:=false}',
};

/** Providers by label. A new provider also needs an entry in `provider-list.ts`, unless it only installs others. */
export const providerParts: Readonly<Record<string, ProviderParts>> = {
  'cluster-api': {
    // The CRD of the inventory belongs to the installer, and is kept when providers are deleted.
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
    // The Supervisor resources have their own API group, which is not in the rules of the controllers that create machines.
    aggregates: [vsphereAggregation, labels.aggregateToManager, controlPlaneAggregation],
    featureGates: {
      NodeAntiAffinity: '${EXP_NODE_ANTI_AFFINITY:=false}',
      MultiNetworks: '${EXP_MULTI_NETWORKS:=false}',
      NamespaceScopedZones: '${EXP_NAMESPACE_SCOPED_ZONES:=false}',
      NodeAutoPlacement: '${EXP_NODE_AUTO_PLACEMENT:=false}',
      IPv6DualStack: '${EXP_IPV6_DUAL_STACK:=false}',
    },
  },
  // The CRDs of other providers are excluded: they belong to the providers that the operator installs.
  'capi-operator': {
    kinds: [...operatorKinds, inventoryEntry],
    controllers: ['capi-operator'],
    // The operator installs arbitrary providers, and RBAC only lets it grant permissions that it has itself.
    writes: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
  },
};
