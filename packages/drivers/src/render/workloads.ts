import type { KubeObject } from '@slipway/kube';
import type { Container, PodSpec, PodTemplate } from '@slipway/runtime';
import { controlPlaneAffinity } from '../manifests/index.js';

export type Workload = KubeObject & { spec: { replicas?: number; template: PodTemplate & { spec: PodSpec } } };

export function isWorkload(object: KubeObject): object is Workload {
  return ['DaemonSet', 'Deployment', 'StatefulSet'].includes(object.kind) && podSpecOf(object) !== undefined;
}

function podSpecOf(object: KubeObject): PodSpec | undefined {
  return (object['spec'] as { template?: PodTemplate } | undefined)?.template?.spec;
}

export function workloadsOf(objects: readonly KubeObject[]): Workload[] {
  return objects.filter(isWorkload);
}

export function containersOf({ spec }: Workload): Container[] {
  return [...(spec.template.spec.initContainers ?? []), ...spec.template.spec.containers];
}

const oldRole = 'node-role.kubernetes.io/master';

/** Selects control plane nodes by their current label: Kubernetes no longer sets the label of old manifests since 1.24. */
export function normaliseControlPlane(workload: Workload): void {
  const pod = workload.spec.template.spec;
  const { nodeSelector } = pod;
  const oldAffinity = JSON.stringify(pod.affinity ?? {});
  const selects =
    nodeSelector !== undefined && (oldRole in nodeSelector || 'node-role.kubernetes.io/control-plane' in nodeSelector);
  const prefers = oldAffinity.includes(oldRole) && !oldAffinity.includes('node-role.kubernetes.io/control-plane');
  if (!selects && !prefers) return;
  const kept = Object.entries(nodeSelector ?? {}).filter(([key]) => !key.startsWith('node-role.kubernetes.io/'));
  if (kept.length === 0) delete pod.nodeSelector;
  else pod.nodeSelector = Object.fromEntries(kept);
  pod.affinity = { ...pod.affinity, ...controlPlaneAffinity };
}

const kubeletPath = '/var/lib/kubelet';

/** Replaces the kubelet directory in a manifest. Windows paths are kept. */
export function moveKubelet(workload: Workload, path: string): void {
  const target = path.replace(/\/+$/, '');
  const moved = (text: string): string =>
    text.replace(/(^|=)\/var\/lib\/kubelet(?=\/|$)/, (_match, before: string) => `${before}${target}`);
  for (const { hostPath } of workload.spec.template.spec.volumes ?? []) {
    if (hostPath?.path.startsWith(kubeletPath)) hostPath.path = moved(hostPath.path);
  }
  for (const container of containersOf(workload)) moveInContainer(container, moved);
}

function moveInContainer(container: Container, moved: (text: string) => string): void {
  for (const mount of container.volumeMounts ?? []) mount.mountPath = moved(mount.mountPath);
  for (const variable of container.env ?? []) if (variable.value !== undefined) variable.value = moved(variable.value);
  if (container.args !== undefined) container.args = container.args.map(moved);
  const probe = container.livenessProbe;
  if (probe?.exec?.command !== undefined) probe.exec.command = probe.exec.command.map(moved);
}
