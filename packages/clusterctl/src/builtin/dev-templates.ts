// A default for the version: no image has to be there for a machine in memory.
const version = '${KUBERNETES_VERSION:=v1.35.0}';

/** Machines in memory: one control plane and one group of workers. The quick start is made from it as well. */
export const devClusterTemplate = `# A cluster in memory: machines that boot in a second and answer to kubectl.
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
spec:
  clusterNetwork:
    pods:
      cidrBlocks: ["\${POD_CIDR:=192.168.0.0/16}"]
    services:
      cidrBlocks: ["\${SERVICE_CIDR:=10.96.0.0/12}"]
    serviceDomain: "\${SERVICE_DOMAIN:=cluster.local}"
  controlPlaneRef:
    apiGroup: controlplane.cluster.x-k8s.io
    kind: KubeadmControlPlane
    name: "\${CLUSTER_NAME}"
  infrastructureRef:
    apiGroup: infrastructure.cluster.x-k8s.io
    kind: DevCluster
    name: "\${CLUSTER_NAME}"
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: DevCluster
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
spec:
  backend:
    inMemory: {}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
spec:
  replicas: \${CONTROL_PLANE_MACHINE_COUNT}
  version: "${version}"
  machineTemplate:
    spec:
      infrastructureRef:
        apiGroup: infrastructure.cluster.x-k8s.io
        kind: DevMachineTemplate
        name: "\${CLUSTER_NAME}"
  kubeadmConfigSpec:
    format: cloud-config
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: DevMachineTemplate
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
spec:
  template:
    spec:
      backend:
        inMemory: {}
---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
spec:
  template:
    spec:
      format: cloud-config
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: "\${CLUSTER_NAME}-workers"
  namespace: "\${NAMESPACE}"
spec:
  clusterName: "\${CLUSTER_NAME}"
  replicas: \${WORKER_MACHINE_COUNT}
  selector:
    matchLabels: {}
  template:
    spec:
      clusterName: "\${CLUSTER_NAME}"
      version: "${version}"
      bootstrap:
        configRef:
          apiGroup: bootstrap.cluster.x-k8s.io
          kind: KubeadmConfigTemplate
          name: "\${CLUSTER_NAME}"
      infrastructureRef:
        apiGroup: infrastructure.cluster.x-k8s.io
        kind: DevMachineTemplate
        name: "\${CLUSTER_NAME}"
`;

/** The same cluster from a class; the class comes with it when it is not there yet. */
const devTopologyTemplate = `# The same cluster from a class. Needs the feature gate ClusterTopology.
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
spec:
  clusterNetwork:
    pods:
      cidrBlocks: ["\${POD_CIDR:=192.168.0.0/16}"]
    services:
      cidrBlocks: ["\${SERVICE_CIDR:=10.96.0.0/12}"]
    serviceDomain: "\${SERVICE_DOMAIN:=cluster.local}"
  topology:
    classRef:
      name: quick-start
    version: "${version}"
    controlPlane:
      replicas: \${CONTROL_PLANE_MACHINE_COUNT}
    workers:
      machineDeployments:
        - class: workers
          name: workers
          replicas: \${WORKER_MACHINE_COUNT}
`;

/** The class that the topology flavor names. */
const devClusterClass = `apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata:
  name: quick-start
spec:
  infrastructure:
    templateRef:
      apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
      kind: DevClusterTemplate
      name: quick-start
  controlPlane:
    templateRef:
      apiVersion: controlplane.cluster.x-k8s.io/v1beta2
      kind: KubeadmControlPlaneTemplate
      name: quick-start
    machineInfrastructure:
      templateRef:
        apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
        kind: DevMachineTemplate
        name: quick-start
  workers:
    machineDeployments:
      - class: workers
        bootstrap:
          templateRef:
            apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
            kind: KubeadmConfigTemplate
            name: quick-start
        infrastructure:
          templateRef:
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
            kind: DevMachineTemplate
            name: quick-start
  variables:
    - name: ntpServer
      required: false
      schema:
        openAPIV3Schema:
          type: string
          default: ""
  patches:
    - name: ntp
      description: Sets the time server of workers.
      enabledIf: '{{ ne .ntpServer "" }}'
      definitions:
        - selector:
            apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
            kind: KubeadmConfigTemplate
            matchResources:
              machineDeploymentClass:
                names: [workers]
          jsonPatches:
            - op: add
              path: /spec/template/spec/ntp
              valueFrom:
                template: |
                  enabled: true
                  servers: [{{ .ntpServer }}]
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: DevClusterTemplate
metadata:
  name: quick-start
spec:
  template:
    spec:
      backend:
        inMemory: {}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlaneTemplate
metadata:
  name: quick-start
spec:
  template:
    spec:
      kubeadmConfigSpec:
        format: cloud-config
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: DevMachineTemplate
metadata:
  name: quick-start
spec:
  template:
    spec:
      backend:
        inMemory: {}
---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata:
  name: quick-start
spec:
  template:
    spec:
      format: cloud-config
`;

/** By the names that they have in a release. */
export const devTemplates: Readonly<Record<string, string>> = {
  'cluster-template.yaml': devClusterTemplate,
  'cluster-template-topology.yaml': devTopologyTemplate,
  'clusterclass-quick-start.yaml': devClusterClass,
};
