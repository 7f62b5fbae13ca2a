import { readFileSync } from 'node:fs';

const samples = new URL('../../../docs/samples/', import.meta.url);

/** Returns the cluster of docs/tasks/real-local-cluster.md with the given version. */
export function realCluster(version: string): string {
  return readFileSync(new URL('real-local-cluster.yaml', samples), 'utf8').replaceAll('v1.36.3', version);
}

/** Returns storage and metrics add-ons for that cluster. */
export function localAddOns(): string {
  return readFileSync(new URL('real-local-cluster-add-ons.yaml', samples), 'utf8');
}

/** A Pod that answers with its own name, on a worker node. */
export const answeringPod = `
apiVersion: v1
kind: Pod
metadata: {name: answer, namespace: default}
spec:
  # It is the first process of its namespace, which no signal ends that it does not ask for.
  terminationGracePeriodSeconds: 1
  containers:
    - {name: answer, image: slipway.local/pod-network:v1, imagePullPolicy: Never, args: [serve]}
`;

/** A Pod that takes the place of the vSphere driver operator: it logs that nothing listens, and exits. */
export const operatorPod = `
apiVersion: v1
kind: Namespace
metadata: {name: vmware-system-vdo}
---
apiVersion: v1
kind: Pod
metadata: {name: vdo, namespace: vmware-system-vdo, labels: {control-plane: controller-manager}}
spec:
  restartPolicy: Never
  containers:
    - {name: manager, image: slipway.local/pod-network:v1, imagePullPolicy: Never, args: [get, 'http://127.0.0.1:1']}
`;

/** Replaces a control plane machine whose Node is unreachable. */
export const controlPlaneHealthCheck = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineHealthCheck
metadata: {name: real-control-plane, namespace: default}
spec:
  clusterName: real
  selector: {matchLabels: {cluster.x-k8s.io/control-plane: ''}}
  checks:
    nodeStartupTimeoutSeconds: 900
    unhealthyNodeConditions:
      - {type: Ready, status: Unknown, timeoutSeconds: 10}
      - {type: Ready, status: 'False', timeoutSeconds: 120}
`;
