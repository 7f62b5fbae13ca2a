import type { ObjectKey } from '@slipway/runtime';
import { nodeResource, podResource, staticPodName, systemNamespace, type WorkloadClusters } from '../workload/index.js';

const components = ['kube-scheduler', 'kube-controller-manager', 'kube-apiserver', 'etcd'] as const;

/**
 * Switches the machine off and stops everything on it. Its etcd member stays in the member list until the control plane
 * provider removes it, as after the loss of a real machine.
 */
export async function removeMachine(workloads: WorkloadClusters, cluster: ObjectKey, name: string): Promise<void> {
  const workload = workloads.get(cluster);
  if (workload === undefined) return;
  workload.removeApiServer(name);
  workload.etcd.stop(name);
  const { objects } = workload;
  if (objects !== undefined) {
    for (const component of components)
      await objects.remove(podResource, systemNamespace, staticPodName(component, name));
    await objects.remove(nodeResource, '', name);
  }
  workload.switchOff(name);
}
