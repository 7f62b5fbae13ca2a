import { controlPlaneMachineConditions } from '../api/index.js';

/** Where kubeadm runs what the control plane is made of. */
export const systemNamespace = 'kube-system';

export interface StaticPodComponent {
  readonly name: 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'etcd';
  /** The condition of the Machine that tells of it. */
  readonly condition: string;
}

const { apiServerPodHealthy, controllerManagerPodHealthy, schedulerPodHealthy, etcdPodHealthy } =
  controlPlaneMachineConditions;

const kubernetesComponents: readonly StaticPodComponent[] = [
  { name: 'kube-apiserver', condition: apiServerPodHealthy },
  { name: 'kube-controller-manager', condition: controllerManagerPodHealthy },
  { name: 'kube-scheduler', condition: schedulerPodHealthy },
];

/** What kubeadm runs as static Pods on every control plane machine; etcd only where it is not the user's own. */
export function staticPodComponents(isEtcdManaged: boolean): readonly StaticPodComponent[] {
  return isEtcdManaged ? [...kubernetesComponents, { name: 'etcd', condition: etcdPodHealthy }] : kubernetesComponents;
}

/** The kubelet names the mirror of a static Pod after its Node. */
export function staticPodName(component: StaticPodComponent['name'], nodeName: string): string {
  return `${component}-${nodeName}`;
}
