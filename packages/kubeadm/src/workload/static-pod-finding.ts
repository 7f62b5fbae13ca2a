import { reasons } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { Node, Pod } from '@slipway/runtime';
import { controlPlaneMachineConditions, kubeadmReasons } from '../api/index.js';
import type { PodObservation } from './control-plane-workload.js';
import type { Finding } from './finding.js';

/** The namespace of kubeadm's static Pods. */
export const systemNamespace = 'kube-system';

export interface StaticPodComponent {
  readonly name: 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'etcd';
  /** The Machine condition that reports the component. */
  readonly condition: string;
}

const { apiServerPodHealthy, controllerManagerPodHealthy, schedulerPodHealthy, etcdPodHealthy } =
  controlPlaneMachineConditions;

const kubernetesComponents: readonly StaticPodComponent[] = [
  { name: 'kube-apiserver', condition: apiServerPodHealthy },
  { name: 'kube-controller-manager', condition: controllerManagerPodHealthy },
  { name: 'kube-scheduler', condition: schedulerPodHealthy },
];

/**
 * Returns the components that kubeadm runs as static Pods on every control plane machine. Includes etcd unless it is external.
 */
export function staticPodComponents(isEtcdManaged: boolean): readonly StaticPodComponent[] {
  return isEtcdManaged ? [...kubernetesComponents, { name: 'etcd', condition: etcdPodHealthy }] : kubernetesComponents;
}

/** Returns the name of a static Pod. The kubelet appends the Node name to it. */
export function staticPodName(component: StaticPodComponent['name'], nodeName: string): string {
  return `${component}-${nodeName}`;
}

/** Reasons of the v1beta1 conditions. */
const podReasons = {
  provisioning: 'PodProvisioning',
  missing: 'PodMissing',
  failed: 'PodFailed',
  inspectionFailed: 'PodInspectionFailed',
} as const;

export function podInspectionFailed(message: string, v1beta1Message = message): Finding {
  return {
    status: 'Unknown',
    reason: reasons.inspectionFailed,
    message,
    v1beta1: { status: 'Unknown', reason: podReasons.inspectionFailed, message: v1beta1Message },
  };
}

/** Returns the finding for a machine that is still being provisioned. It has no v1beta1 condition. */
export function podNotYetExpected(message: string): Finding {
  return { status: 'Unknown', reason: reasons.inspectionFailed, message };
}

export function podOnDeletingMachine(): Finding {
  return {
    status: 'False',
    reason: reasons.deleting,
    message: 'Machine is deleting',
    v1beta1: { status: 'False', reason: reasons.deleting, severity: 'Info', message: '' },
  };
}

/** Returns the finding for a deleted Node. Its v1beta1 and v1beta2 conditions differ. */
export function podWithoutNode(nodeName: string): Finding {
  return {
    status: 'Unknown',
    reason: reasons.inspectionFailed,
    message: `Node ${nodeName} does not exist`,
    v1beta1: { status: 'False', reason: podReasons.failed, severity: 'Error', message: 'Missing Node' },
  };
}

/** Returns the state of a static Pod. Checks the Node first, because an unreachable kubelet does not update its Pods. */
export function staticPodFinding(name: string, node: Frozen<Node>, seen: PodObservation | undefined): Finding {
  if (isReadyUnknown(node)) return podInspectionFailed('Node Ready condition is Unknown, Pod data might be stale');
  if (seen === undefined || 'failure' in seen)
    return podInspectionFailed('Please check controller logs for errors', 'Failed to get Pod status');
  if ('absent' in seen)
    return {
      status: 'False',
      reason: kubeadmReasons.doesNotExist,
      message: 'Pod does not exist',
      v1beta1: {
        status: 'False',
        reason: podReasons.missing,
        severity: 'Error',
        message: `Pod ${name} is missing`,
      },
    };
  return podFinding(seen.pod);
}

function podFinding(pod: Frozen<Pod>): Finding {
  switch (pod.status?.phase) {
    case 'Running':
      return runningFinding(pod);
    case 'Succeeded':
    case 'Failed':
      return failed('All the containers have been terminated');
    case 'Unknown':
      return podInspectionFailed('Pod is reporting Unknown status');
    default:
      // A Pod without a phase was just accepted and is pending.
      return pendingFinding(pod);
  }
}

function pendingFinding(pod: Frozen<Pod>): Finding {
  if (!isTrue(pod, 'PodScheduled')) return provisioning('Waiting to be scheduled');
  if (!isTrue(pod, 'Initialized')) return provisioning('Running init containers');
  return provisioning('');
}

function runningFinding(pod: Frozen<Pod>): Finding {
  if (isTrue(pod, 'Ready'))
    return { status: 'True', reason: kubeadmReasons.running, message: '', v1beta1: { status: 'True' } };
  const containers = pod.status?.containerStatuses ?? [];
  const waiting = containers.flatMap(({ state }) => (state?.waiting === undefined ? [] : [state.waiting.reason ?? '']));
  if (waiting.length > 0) {
    // A failed container waits for its restart. Only lastState distinguishes it from one that starts for the first time.
    const exited = containers.some(({ lastState }) => (lastState?.terminated?.exitCode ?? 0) !== 0);
    return exited ? failed(waiting.join(', ')) : provisioning(waiting.join(', '));
  }
  const ended = containers.flatMap(({ state }) =>
    state?.terminated === undefined ? [] : [state.terminated.reason ?? ''],
  );
  if (ended.length > 0) return failed(ended.join(', '));
  return provisioning('Waiting for startup or readiness probes');
}

function provisioning(message: string): Finding {
  return {
    status: 'False',
    reason: kubeadmReasons.provisioning,
    message,
    v1beta1: { status: 'False', reason: podReasons.provisioning, severity: 'Info', message },
  };
}

function failed(message: string): Finding {
  return {
    status: 'False',
    reason: kubeadmReasons.failed,
    message,
    v1beta1: { status: 'False', reason: podReasons.failed, severity: 'Error', message },
  };
}

function isTrue(pod: Frozen<Pod>, type: string): boolean {
  return pod.status?.conditions?.find((condition) => condition.type === type)?.status === 'True';
}

function isReadyUnknown(node: Frozen<Node>): boolean {
  return node.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'Unknown';
}
