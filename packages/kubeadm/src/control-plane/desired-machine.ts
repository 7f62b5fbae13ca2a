import {
  drawUniqueName,
  finalizers,
  formatLabelValue,
  kindOfTemplate,
  labels,
  type Machine,
  type MachineIntent,
  nameOf,
  type ObservedMachine,
  renderNameTemplate,
} from '@slipway/cluster-api';
import { cloneJson, type OwnerReference, type RandomSource } from '@slipway/kube';
import { ownerReference } from '@slipway/runtime';
import { controlPlaneAnnotations, controlPlaneMachineConditions, type KubeadmConfig } from '../api/index.js';
import { withDefaultFeatureGates } from '../workload/index.js';
import { type ClusterView, isEtcdManaged, type ObservedControlPlane } from './control-plane.js';

const nameTemplateDefault = '{{ .kubeadmControlPlane.name }}-{{ .random }}';
const nameLengthMax = 63;

/** Returns the name of a new machine, which its KubeadmConfig and infrastructure share. */
export function drawControlPlaneMachineName(
  controlPlane: ObservedControlPlane,
  cluster: ClusterView,
  taken: ReadonlySet<string>,
  random: RandomSource,
): string {
  const template = controlPlane.spec.machineNaming?.template ?? nameTemplateDefault;
  const values = {
    cluster: { name: cluster.metadata.name ?? '' },
    kubeadmControlPlane: { name: nameOf(controlPlane) },
  };
  const nameWith = (suffix: string): string => {
    const name = renderNameTemplate(template, { ...values, random: suffix });
    // Truncate the front part, so that the random suffix is kept.
    return name.length <= nameLengthMax ? name : name.slice(0, nameLengthMax - suffix.length) + suffix;
  };
  return drawUniqueName(nameWith, (name) => taken.has(name), random).name;
}

type Spec = Machine['spec'];

/** Returns a new Machine, with references to its infrastructure object and KubeadmConfig of the same name. */
export function newControlPlaneMachine(
  controlPlane: ObservedControlPlane,
  cluster: ClusterView,
  name: string,
  failureDomain: string | undefined,
): MachineIntent {
  const { infrastructureRef } = controlPlane.spec.machineTemplate.spec;
  const remediation = controlPlane.metadata.annotations?.[controlPlaneAnnotations.remediationInProgress];
  const spec: Spec = {
    clusterName: cluster.metadata.name ?? '',
    version: controlPlane.spec.version,
    ...(failureDomain === undefined ? {} : { failureDomain }),
    bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name } },
    infrastructureRef: { apiGroup: infrastructureRef.apiGroup, kind: kindOfTemplate(infrastructureRef.kind), name },
    ...fieldsInPlace(controlPlane),
  };
  const intent = machineIntent(controlPlane, cluster, remediation, spec);
  return { ...intent, metadata: { ...intent.metadata, name } };
}

/** Returns the intent for an existing Machine, with the fields that are propagated in place from the control plane. */
export function controlPlaneMachineInPlace(
  controlPlane: ObservedControlPlane,
  cluster: ClusterView,
  machine: ObservedMachine,
): MachineIntent {
  const remediation = machine.metadata.annotations?.[controlPlaneAnnotations.remediationFor];
  const { clusterName, version, failureDomain, bootstrap, infrastructureRef } = machine.spec;
  const spec = cloneJson({
    clusterName,
    version,
    failureDomain,
    bootstrap: { configRef: bootstrap.configRef },
    infrastructureRef,
    ...fieldsInPlace(controlPlane),
  }) as Spec;
  const intent = machineIntent(controlPlane, cluster, remediation, spec);
  const { uid } = machine.metadata;
  return { ...intent, metadata: { ...intent.metadata, name: nameOf(machine), ...(uid === undefined ? {} : { uid }) } };
}

/**
 * Returns the fields that are propagated in place. Excludes minReadySeconds, because readiness gates decide when a machine is
 * ready.
 */
function fieldsInPlace(controlPlane: ObservedControlPlane): Pick<Spec, 'deletion' | 'taints' | 'readinessGates'> {
  const { deletion, taints } = controlPlane.spec.machineTemplate.spec;
  return {
    ...(deletion === undefined ? {} : { deletion: cloneJson(deletion) }),
    ...(taints === undefined ? {} : { taints: cloneJson(taints) as NonNullable<Spec['taints']> }),
    readinessGates: readinessGates(controlPlane),
  };
}

function readinessGates(controlPlane: ObservedControlPlane): NonNullable<Spec['readinessGates']> {
  const { etcdPodHealthy, etcdMemberHealthy, ...others } = controlPlaneMachineConditions;
  const mandatory = [
    others.nodeKubeadmLabelsAndTaintsSet,
    others.apiServerPodHealthy,
    others.controllerManagerPodHealthy,
    others.schedulerPodHealthy,
    ...(isEtcdManaged(controlPlane) ? [etcdPodHealthy, etcdMemberHealthy] : []),
  ];
  const own = cloneJson(controlPlane.spec.machineTemplate.spec.readinessGates ?? []) as NonNullable<
    Spec['readinessGates']
  >;
  const gates = [...mandatory.map((conditionType) => ({ conditionType })), ...own];
  const byType = new Map<string, (typeof gates)[number]>();
  for (const gate of gates) if (!byType.has(gate.conditionType)) byType.set(gate.conditionType, gate);
  return [...byType.values()];
}

function machineIntent(
  controlPlane: ObservedControlPlane,
  cluster: ClusterView,
  remediation: string | undefined,
  spec: Spec,
): MachineIntent {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      namespace: controlPlane.metadata.namespace ?? '',
      labels: machineLabels(controlPlane, cluster),
      annotations: {
        ...machineAnnotations(controlPlane),
        ...(remediation === undefined ? {} : { [controlPlaneAnnotations.remediationFor]: remediation }),
        // Blocks the deletion of the machine until its etcd member is removed.
        [controlPlaneAnnotations.preTerminateCleanup]: '',
      },
      ownerReferences: [ownerReference(controlPlane, { controller: true })],
      // Set at creation, so that nothing leaks if the machine is deleted before its first reconcile. Later applies must repeat
      // it, or it would be removed.
      finalizers: [finalizers.machine],
    },
    spec,
  };
}

export type KubeadmConfigSpec = NonNullable<KubeadmConfig['spec']>;

/** The first machine initializes the cluster, and all others join it. */
export type KubeadmRole = 'init' | 'join';

/** Returns the kubeadm configuration of a control plane machine, with either the init or the join configuration. */
export function desiredKubeadmConfigSpec(controlPlane: ObservedControlPlane, role: KubeadmRole): KubeadmConfigSpec {
  const { initConfiguration, joinConfiguration, ...common } = cloneJson(
    controlPlane.spec.kubeadmConfigSpec ?? {},
  ) as KubeadmConfigSpec;
  const spec: KubeadmConfigSpec = { ...common };
  if (role === 'init' && initConfiguration !== undefined) spec.initConfiguration = initConfiguration;
  // The controlPlane field later identifies the configuration as that of a control plane machine.
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
    // Omit an empty spec, which the schema rejects.
    ...(Object.keys(spec).length > 0 && { spec }),
  };
}

/** Returns an owner reference that is not a controller, because the Machine becomes the controller in its first reconcile. */
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
