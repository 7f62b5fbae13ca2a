import { indent } from './template-lines.js';
import { clusterObject, clusterReferences, supervisorMachine, supervisorNetwork } from './vsphere-parts.js';

const group = 'vmware.infrastructure.cluster.x-k8s.io';

/** Machines of a Supervisor: images, classes and storage are what its namespace offers; the load balancer is its own. */
export const supervisorTemplate = `# A cluster on a vSphere Supervisor. Apply it in a namespace of the Supervisor that offers the class and the storage.
${clusterObject(supervisorNetwork, clusterReferences(group)).trim()}
---
apiVersion: ${group}/v1beta2
kind: VSphereCluster
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
---
apiVersion: ${group}/v1beta2
kind: VSphereMachineTemplate
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
spec:
  template:
    spec:
${indent(6, supervisorMachine)}
---
apiVersion: ${group}/v1beta2
kind: VSphereMachineTemplate
metadata:
  name: "\${CLUSTER_NAME}-worker"
  namespace: "\${NAMESPACE}"
spec:
  template:
    spec:
${indent(6, supervisorMachine)}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
spec:
  replicas: \${CONTROL_PLANE_MACHINE_COUNT}
  version: "\${KUBERNETES_VERSION}"
  machineTemplate:
    spec:
      infrastructureRef:
        apiGroup: ${group}
        kind: VSphereMachineTemplate
        name: "\${CLUSTER_NAME}"
  kubeadmConfigSpec:
    clusterConfiguration:
      apiServer:
        extraArgs:
          - name: cloud-provider
            value: external
      controllerManager:
        extraArgs:
          - name: cloud-provider
            value: external
    initConfiguration:
      nodeRegistration:
        name: "{{ local_hostname }}"
        kubeletExtraArgs:
          - name: cloud-provider
            value: external
    joinConfiguration:
      nodeRegistration:
        name: "{{ local_hostname }}"
        kubeletExtraArgs:
          - name: cloud-provider
            value: external
    users:
      - name: capv
        sudo: ALL=(ALL) NOPASSWD:ALL
        sshAuthorizedKeys:
          - "\${VSPHERE_SSH_AUTHORIZED_KEY}"
---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata:
  name: "\${CLUSTER_NAME}-md-0"
  namespace: "\${NAMESPACE}"
spec:
  template:
    spec:
      joinConfiguration:
        nodeRegistration:
          name: "{{ local_hostname }}"
          kubeletExtraArgs:
            - name: cloud-provider
              value: external
      users:
        - name: capv
          sudo: ALL=(ALL) NOPASSWD:ALL
          sshAuthorizedKeys:
            - "\${VSPHERE_SSH_AUTHORIZED_KEY}"
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: "\${CLUSTER_NAME}-md-0"
  namespace: "\${NAMESPACE}"
spec:
  clusterName: "\${CLUSTER_NAME}"
  replicas: \${WORKER_MACHINE_COUNT}
  selector:
    matchLabels: {}
  template:
    spec:
      clusterName: "\${CLUSTER_NAME}"
      version: "\${KUBERNETES_VERSION}"
      bootstrap:
        configRef:
          apiGroup: bootstrap.cluster.x-k8s.io
          kind: KubeadmConfigTemplate
          name: "\${CLUSTER_NAME}-md-0"
      infrastructureRef:
        apiGroup: ${group}
        kind: VSphereMachineTemplate
        name: "\${CLUSTER_NAME}-worker"
`;
