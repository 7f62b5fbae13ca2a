/** The same cluster from a class; the class comes with it when it is not there yet. */
export const kvmTopologyTemplate = `# A cluster of QEMU machines from a class. Needs the feature gate ClusterTopology.
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
spec:
  clusterNetwork:
    pods:
      cidrBlocks: ["\${POD_IP_RANGE:=172.24.0.0/16}"]
    services:
      cidrBlocks: ["\${SERVICE_IP_RANGE:=172.31.0.0/16}"]
  topology:
    classRef:
      name: kvm
    version: "\${KUBERNETES_VERSION}"
    controlPlane:
      replicas: \${CONTROL_PLANE_MACHINE_COUNT:=3}
    workers:
      machineDeployments:
      - class: worker
        name: worker
        replicas: \${WORKER_MACHINE_COUNT:=3}
    variables:
    - name: backend
      value: "\${KVM_BACKEND:=pod}"
    - name: image
      value:
        url: "\${KVM_IMAGE_URL}"
        checksum: "\${KVM_IMAGE_CHECKSUM}"
    - name: controlPlaneResources
      value:
        cpu: "\${CONTROL_PLANE_MACHINE_CPUS:=4}"
        memory: "\${CONTROL_PLANE_MACHINE_MEMORY:=8Gi}"
        disk: "\${CONTROL_PLANE_VOLUME_SIZE_GB:=40}Gi"
    - name: workerResources
      value:
        cpu: "\${WORKER_MACHINE_CPUS:=4}"
        memory: "\${WORKER_MACHINE_MEMORY:=8Gi}"
        disk: "\${VOLUME_SIZE_GB:=40}Gi"
`;

const references = (kind: string, name: string, group: string): string => `templateRef:
        apiVersion: ${group}/v1beta2
        kind: ${kind}
        name: ${name}`;

const resourcesVariable = (name: string): string => `  - name: ${name}
    required: true
    schema:
      openAPIV3Schema:
        type: object
        required: [cpu, memory, disk]
        properties:
          cpu: {type: string}
          memory: {type: string}
          disk: {type: string}`;

const registration = `nodeRegistration:
            name: '{{ ds.meta_data.local_hostname }}'
            kubeletExtraArgs:
            - name: provider-id
              value: 'kvm://{{ ds.meta_data.instance_id }}'`;

/** Without variables of templates: they are the class's own. */
export const kvmClusterClass = `apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata:
  name: kvm
spec:
  infrastructure:
    ${references('KVMClusterTemplate', 'kvm', 'infrastructure.cluster.x-k8s.io').replaceAll('\n  ', '\n')}
  controlPlane:
    ${references('KubeadmControlPlaneTemplate', 'kvm', 'controlplane.cluster.x-k8s.io').replaceAll('\n  ', '\n')}
    machineInfrastructure:
      ${references('KVMMachineTemplate', 'kvm-control-plane', 'infrastructure.cluster.x-k8s.io')}
  workers:
    machineDeployments:
    - class: worker
      bootstrap:
        templateRef:
          apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
          kind: KubeadmConfigTemplate
          name: kvm-worker
      infrastructure:
        templateRef:
          apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
          kind: KVMMachineTemplate
          name: kvm-worker
  variables:
  - name: backend
    required: true
    schema:
      openAPIV3Schema: {type: string, enum: [local, pod], default: pod}
  - name: image
    required: true
    schema:
      openAPIV3Schema:
        type: object
        required: [url]
        properties:
          url: {type: string}
          checksum: {type: string}
${resourcesVariable('controlPlaneResources')}
${resourcesVariable('workerResources')}
  patches:
  - name: backend
    definitions:
    - selector:
        apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
        kind: KVMClusterTemplate
        matchResources: {infrastructureCluster: true}
      jsonPatches:
      - op: add
        path: /spec/template/spec/backend
        valueFrom: {variable: backend}
  - name: control-plane-machines
    definitions:
    - selector:
        apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
        kind: KVMMachineTemplate
        matchResources: {controlPlane: true}
      jsonPatches:
      - op: add
        path: /spec/template/spec/resources
        valueFrom: {variable: controlPlaneResources}
      - op: add
        path: /spec/template/spec/image
        valueFrom: {variable: image}
  - name: worker-machines
    definitions:
    - selector:
        apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
        kind: KVMMachineTemplate
        matchResources:
          machineDeploymentClass: {names: [worker]}
      jsonPatches:
      - op: add
        path: /spec/template/spec/resources
        valueFrom: {variable: workerResources}
      - op: add
        path: /spec/template/spec/image
        valueFrom: {variable: image}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: KVMClusterTemplate
metadata:
  name: kvm
spec:
  template:
    spec:
      backend: pod
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlaneTemplate
metadata:
  name: kvm
spec:
  template:
    spec:
      kubeadmConfigSpec:
        format: cloud-config
        initConfiguration:
          ${registration}
        joinConfiguration:
          ${registration}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: KVMMachineTemplate
metadata:
  name: kvm-control-plane
spec:
  template:
    spec:
      shutdown:
        gracePeriodSeconds: 90
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: KVMMachineTemplate
metadata:
  name: kvm-worker
spec:
  template:
    spec:
      shutdown:
        gracePeriodSeconds: 90
---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata:
  name: kvm-worker
spec:
  template:
    spec:
      format: cloud-config
      joinConfiguration:
        nodeRegistration:
          name: '{{ ds.meta_data.local_hostname }}'
          kubeletExtraArgs:
          - name: provider-id
            value: 'kvm://{{ ds.meta_data.instance_id }}'
`;
