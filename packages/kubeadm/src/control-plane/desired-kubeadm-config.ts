import { formatLabelValue, labels, nameOf } from '@slipway/cluster-api';
import { cloneJson, type OwnerReference } from '@slipway/kube';
import { ownerReference } from '@slipway/runtime';
import type { KubeadmConfig } from '../api/index.js';
import { withDefaultFeatureGates } from '../workload/index.js';
import type { ClusterView, ObservedControlPlane } from './control-plane.js';

export type KubeadmConfigSpec = NonNullable<KubeadmConfig['spec']>;

/** The first machine starts the cluster, every further one joins it. */
export type KubeadmRole = 'init' | 'join';

/** What kubeadm is told on a machine of the control plane: the other role's part is left out. */
export function desiredKubeadmConfigSpec(controlPlane: ObservedControlPlane, role: KubeadmRole): KubeadmConfigSpec {
  const { initConfiguration, joinConfiguration, ...common } = cloneJson(
    controlPlane.spec.kubeadmConfigSpec ?? {},
  ) as KubeadmConfigSpec;
  const spec: KubeadmConfigSpec = { ...common };
  if (role === 'init' && initConfiguration !== undefined) spec.initConfiguration = initConfiguration;
  // That it joins as a control plane is also what the configuration is known by later.
  if (role === 'join') spec.joinConfiguration = { controlPlane: {}, ...joinConfiguration };
  const clusterConfiguration = withDefaultFeatureGates(spec.clusterConfiguration ?? {}, controlPlane.spec.version);
  if (Object.keys(clusterConfiguration).length > 0)
    spec.clusterConfiguration = clusterConfiguration as NonNullable<KubeadmConfigSpec['clusterConfiguration']>;
  return spec;
}

export function isJoinConfig(spec: { readonly joinConfiguration?: { readonly controlPlane?: unknown } } = {}): boolean {
  return spec.joinConfiguration?.controlPlane !== undefined;
}

export function desiredKubeadmConfig(
  controlPlane: ObservedControlPlane,
  cluster: ClusterView,
  name: string,
  role: KubeadmRole,
): KubeadmConfig {
  const spec = desiredKubeadmConfigSpec(controlPlane, role);
  return {
    apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmConfig',
    metadata: {
      name,
      namespace: controlPlane.metadata.namespace ?? '',
      labels: machineLabels(controlPlane, cluster),
      annotations: machineAnnotations(controlPlane),
      ownerReferences: [plainOwner(controlPlane)],
    },
    // One that says nothing is left out: the schema takes no empty one.
    ...(Object.keys(spec).length > 0 && { spec }),
  };
}

/** An owner that does not control: the Machine takes over as soon as it has looked. */
export function plainOwner(controlPlane: ObservedControlPlane): OwnerReference {
  return ownerReference(controlPlane);
}

export function machineLabels(controlPlane: ObservedControlPlane, cluster: ClusterView): Record<string, string> {
  return {
    ...controlPlane.spec.machineTemplate.metadata?.labels,
    [labels.clusterName]: cluster.metadata.name ?? '',
    [labels.controlPlane]: '',
    [labels.controlPlaneName]: formatLabelValue(nameOf(controlPlane)),
  };
}

export function machineAnnotations(controlPlane: ObservedControlPlane): Record<string, string> {
  return { ...controlPlane.spec.machineTemplate.metadata?.annotations };
}
