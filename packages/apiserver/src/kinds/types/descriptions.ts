/** Descriptions of built-in kinds and of their most used fields, as `kubectl explain` shows them. */
const messages: Readonly<Record<string, string>> = {
  Pod: 'Pod is a group of one or more containers that are scheduled onto the same node and share its network namespace and volumes.',
  PodSpec: 'PodSpec describes the containers of a pod, its volumes and how it is scheduled.',
  PodStatus: 'PodStatus is the most recently observed status of a pod. It may trail the actual state of the node.',
  Container: 'Container is a single application container: its image, command, resources and volume mounts.',
  Node: 'Node is a worker machine that runs pods.',
  Namespace: 'Namespace provides a scope for names, access control and resource quota.',
  ConfigMap: 'ConfigMap holds configuration data for pods and controllers to consume.',
  Secret: 'Secret holds sensitive data such as passwords, tokens and keys. Its total size is limited to 1 MiB.',
  Service: 'Service is a stable name and address for a set of pods.',
  ServiceAccount: 'ServiceAccount is an identity for processes that call the API, such as pods.',
  Endpoints: 'Endpoints lists the addresses that implement a service. Deprecated: use EndpointSlice.',
  Event: 'Event reports something that happened to an object. Events have a limited retention time.',
  PersistentVolume:
    'PersistentVolume is a piece of storage in the cluster that was provisioned by an administrator or by a storage class.',
  PersistentVolumeClaim: 'PersistentVolumeClaim is a request for storage and its binding to a persistent volume.',
  LimitRange: 'LimitRange sets the minimum, maximum and default resource usage of objects in a namespace.',
  ResourceQuota: 'ResourceQuota sets aggregate limits on the resources that a namespace may consume.',
  ReplicationController: 'ReplicationController maintains a number of pod replicas. Superseded by ReplicaSet.',
  PodTemplate: 'PodTemplate is a template for creating pods that is stored as a separate object.',
  ComponentStatus: 'ComponentStatus reports the health of a control plane component. Deprecated.',
  Deployment: 'Deployment provides declarative updates for pods and ReplicaSets.',
  ReplicaSet: 'ReplicaSet maintains a stable set of identical pods.',
  StatefulSet:
    'StatefulSet manages a set of pods with stable names and storage, which are created, updated and deleted in order.',
  DaemonSet: 'DaemonSet runs one copy of a pod on every matching node.',
  ControllerRevision:
    'ControllerRevision is an immutable snapshot of state data that controllers use for updates and rollbacks.',
  Job: 'Job runs pods until a specified number of them complete successfully.',
  CronJob: 'CronJob creates jobs on a repeating schedule.',
  Role: 'Role is a set of permissions within one namespace.',
  ClusterRole:
    'ClusterRole is a set of permissions that applies to the whole cluster, or to any namespace it is bound in.',
  RoleBinding: 'RoleBinding grants the permissions of a Role or ClusterRole to subjects within one namespace.',
  ClusterRoleBinding: 'ClusterRoleBinding grants the permissions of a ClusterRole to subjects in the whole cluster.',
  Lease: 'Lease is a lock that its holder must renew. Leader election and node heartbeats use it.',
  EndpointSlice: 'EndpointSlice is a subset of the endpoints that implement a service.',
  CertificateSigningRequest: 'CertificateSigningRequest requests an X.509 certificate from a signer.',
  MutatingWebhookConfiguration:
    'MutatingWebhookConfiguration describes admission webhooks that accept or reject requests and may change the object.',
  ValidatingWebhookConfiguration:
    'ValidatingWebhookConfiguration describes admission webhooks that accept or reject requests without changing the object.',
  ValidatingAdmissionPolicy:
    'ValidatingAdmissionPolicy is a set of CEL rules that accept or reject requests without changing the object.',
  ValidatingAdmissionPolicyBinding:
    'ValidatingAdmissionPolicyBinding applies a ValidatingAdmissionPolicy to selected resources.',
  MutatingAdmissionPolicy:
    'MutatingAdmissionPolicy is a set of mutations, written in CEL, that are applied to objects at admission.',
  MutatingAdmissionPolicyBinding:
    'MutatingAdmissionPolicyBinding applies a MutatingAdmissionPolicy to selected resources.',
  CustomResourceDefinition: 'CustomResourceDefinition defines a resource that is added to the API.',
  APIService: 'APIService names the server that serves an API group and version.',
  Ingress: 'Ingress routes HTTP traffic from outside the cluster to services.',
  IngressClass: 'IngressClass names the controller that implements the ingresses of this class.',
  NetworkPolicy: 'NetworkPolicy describes the network traffic that the selected pods may receive and send.',
  IPAddress: 'IPAddress is one allocated service IP address.',
  ServiceCIDR: 'ServiceCIDR is a range of IP addresses from which cluster IPs of services are allocated.',
  PodDisruptionBudget:
    'PodDisruptionBudget limits how many pods of a set may be down at the same time because of voluntary disruptions.',
  PriorityClass: 'PriorityClass maps a name to a scheduling priority.',
  StorageClass: 'StorageClass describes the parameters of storage that can be provisioned dynamically.',
  CSIDriver: 'CSIDriver describes a CSI driver that is installed in the cluster.',
  CSINode: 'CSINode lists the CSI drivers that are installed on one node.',
  CSIStorageCapacity: 'CSIStorageCapacity is the capacity that a CSI driver offers in one topology segment.',
  VolumeAttachment: 'VolumeAttachment requests that a volume be attached to or detached from a node.',
  VolumeAttributesClass: 'VolumeAttributesClass is a set of mutable volume attributes of one CSI driver.',
  RuntimeClass: 'RuntimeClass is a container runtime configuration that pods can select.',
  FlowSchema: 'FlowSchema assigns API requests to priority levels.',
  PriorityLevelConfiguration:
    'PriorityLevelConfiguration limits the share of API server concurrency that one class of requests may use.',
  HorizontalPodAutoscaler:
    'HorizontalPodAutoscaler adjusts the number of replicas of a workload to match observed metrics.',
  Scale: 'Scale is the number of replicas of a scalable resource.',
  ObjectMeta: 'ObjectMeta is the metadata that all persisted objects have.',
  LabelSelector:
    'LabelSelector is a query over labels. All of its requirements must match. An empty selector matches all objects.',
};

/** Descriptions of fields by `Type.field`. `*` applies to every type that has no entry. */
const fields: Readonly<Record<string, string>> = {
  '*.metadata': 'Standard object metadata.',
  '*.spec': 'Desired state of the object.',
  '*.status': 'Most recently observed state of the object. Populated by controllers.',
  '*.items': 'The objects of the list.',
  '*.selector': 'Selects the objects that this object applies to.',
  '*.template': 'Template of the objects that are created for this object.',
  '*.replicas': 'Number of pods. In a spec the desired number, in a status the observed one.',
  '*.conditions': "Latest observations of the object's state, one per condition type.",
  '*.observedGeneration': 'The metadata.generation that the controller observed when it last updated the status.',
  'ObjectMeta.name': 'Name of the object. Unique within its namespace for each resource. Cannot be updated.',
  'ObjectMeta.generateName': 'Prefix from which the server generates a unique name when name is not set.',
  'ObjectMeta.namespace':
    'Namespace within which the name must be unique. Empty for cluster-scoped objects. Cannot be updated.',
  'ObjectMeta.labels': 'Key-value pairs used to organize and select objects.',
  'ObjectMeta.annotations':
    'Key-value pairs of arbitrary metadata that tools store with the object. They cannot be used in selectors.',
  'ObjectMeta.uid': 'Identifier of the object, unique in time and space. Set by the server on creation. Read-only.',
  'ObjectMeta.resourceVersion':
    'Opaque version of the object that changes with every write. Used for optimistic concurrency and for watches. Set by the server.',
  'ObjectMeta.generation': 'Sequence number of the desired state. Set by the server. Read-only.',
  'ObjectMeta.creationTimestamp': 'Time at which the server created the object. Read-only.',
  'ObjectMeta.deletionTimestamp':
    'Time after which the object is removed, once its finalizers list is empty. Set by the server when deletion is requested. Read-only.',
  'ObjectMeta.ownerReferences':
    'Objects that own this object. The garbage collector deletes it when all of its owners are deleted.',
  'ObjectMeta.finalizers':
    'Finalizers that must be removed before the object is deleted. Each names the component that removes it.',
  'ObjectMeta.managedFields':
    'Fields of the object by the manager that set them. Maintained by the server for server-side apply.',
  'PodSpec.containers': 'Containers of the pod. At least one is required. Cannot be updated.',
  'PodSpec.initContainers': 'Containers that run to completion, in order, before the other containers start.',
  'PodSpec.volumes': 'Volumes that the containers of the pod can mount.',
  'PodSpec.nodeName': 'Name of the node that the pod is scheduled onto.',
  'PodSpec.nodeSelector': 'Labels that a node must have for the pod to be scheduled onto it.',
  'PodSpec.restartPolicy': 'Restart policy of the containers. One of Always, OnFailure, Never. Defaults to Always.',
  'PodSpec.serviceAccountName': 'Name of the ServiceAccount that the pod runs as.',
  'PodSpec.tolerations': 'Node taints that the pod tolerates.',
  'Container.name': 'Name of the container, a DNS label that is unique within the pod. Cannot be updated.',
  'Container.image': 'Container image reference.',
  'Container.command': 'Entrypoint array. Defaults to the entrypoint of the image. Not run in a shell.',
  'Container.args': 'Arguments to the entrypoint. Defaults to the command of the image.',
  'Container.env': 'Environment variables to set in the container.',
  'Container.ports': 'Ports to expose from the container. Informational.',
  'Container.resources': 'Compute resources that the container requests and is limited to.',
  'ConfigMap.data': 'Configuration data as UTF-8 strings.',
  'ConfigMap.binaryData': 'Configuration data as base64-encoded bytes. Keys must not also occur in data.',
  'ConfigMap.immutable': 'If true, the data cannot be updated, and this field cannot be set back to false.',
  'Secret.data': 'Secret data as base64-encoded bytes.',
  'Secret.stringData':
    'Secret data as plain strings. Write-only: merged into data on create and update, never returned.',
  'Secret.type': 'Type of the secret data. Cannot be updated. Defaults to Opaque.',
  'Secret.immutable': 'If true, the data cannot be updated, and this field cannot be set back to false.',
  'ServiceSpec.type':
    'How the service is exposed. One of ClusterIP, NodePort, LoadBalancer, ExternalName. Defaults to ClusterIP.',
  'ServiceSpec.clusterIP':
    'IP address of the service, allocated by the server when it is not set. None makes the service headless.',
  'ServiceSpec.ports': 'Ports that the service exposes.',
  'DeploymentSpec.strategy': 'Strategy by which existing pods are replaced with new ones.',
  'DeploymentSpec.paused': 'If true, changes of the pod template do not start a rollout.',
  'NodeSpec.unschedulable': 'If true, new pods are not scheduled onto the node.',
  'NodeSpec.taints':
    'Taints of the node. Pods without a matching toleration are not scheduled onto it, or are evicted from it.',
  'LeaseSpec.holderIdentity': 'Identity of the current holder of the lease.',
  'LeaseSpec.renewTime': 'Time at which the holder last renewed the lease.',
};

export function describeMessage(message: string): string | undefined {
  const name = shortName(message);
  return Object.hasOwn(messages, name) ? messages[name] : undefined;
}

export function describeField(message: string, field: string): string | undefined {
  const own = `${shortName(message)}.${field}`;
  if (Object.hasOwn(fields, own)) return fields[own];
  const common = `*.${field}`;
  return Object.hasOwn(fields, common) ? fields[common] : undefined;
}

function shortName(message: string): string {
  return message.slice(message.lastIndexOf('.') + 1);
}
