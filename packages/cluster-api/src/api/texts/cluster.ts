/** Field descriptions that several versions share. */
export const clusterTexts = {
  cidrBlocks:
    'cidrBlocks are address ranges in CIDR notation. With two of them, one IPv4 and one IPv6, the cluster is dual-stack.',
  apiServerPort: 'apiServerPort is the port on which the API servers of the cluster listen. Defaults to 6443.',
  pods: 'pods are the address ranges of Pods.',
  serviceDomain: 'serviceDomain is the domain name of Services. Defaults to cluster.local.',
  services: 'services are the address ranges of Services.',
  availabilityGates:
    'availabilityGates are additional conditions of the Cluster that must be satisfied for its Available condition to be True. Defaults to the availabilityGates of the ClusterClass.',
  clusterNetwork: 'clusterNetwork is the network configuration of the cluster.',
  controlPlaneRef:
    'controlPlaneRef refers to the control plane object of a provider, such as a KubeadmControlPlane. It cannot be removed. Set by the topology controller if topology is set.',
  paused: 'paused stops the reconciliation of the Cluster and of all objects that belong to it. Defaults to false.',
  topology:
    'topology describes the Cluster by a ClusterClass and its values. The topology controller generates the objects of the Cluster from it. It cannot be removed. Requires the feature gate ClusterTopology.',
  observedGeneration: 'observedGeneration is the metadata.generation that the controller last processed.',
  phase:
    'phase is a summary of the lifecycle of the Cluster: Pending, Provisioning, Provisioned, Deleting, Failed or Unknown. Use conditions to make decisions.',
  value: 'value is the value of the variable, any JSON value that its schema allows.',
  overrides: 'overrides are variable values that take precedence over those of spec.topology.variables.',
  readinessGates:
    'readinessGates are additional conditions of the Machines that must be satisfied for their Ready condition to be True. If set, they replace those of the ClusterClass.',
  failureDomain:
    'failureDomain is the failure domain in which the Machines are placed. It must be one of the failure domains of the Cluster. Defaults to the value of the ClusterClass.',
  minReadySeconds:
    'minReadySeconds is how long, in seconds, a Machine must be Ready before it is considered Available. Defaults to the value of the ClusterClass, else to 0.',
  version:
    'version is the Kubernetes version of the Cluster. The v prefix is added if it is missing. A higher version starts an upgrade, first of the control plane, then of the workers; it cannot be lowered, and it cannot be changed while an upgrade is in progress.',
  healthCheck:
    'healthCheck configures the MachineHealthCheck of these Machines. If checks or remediation is set, it replaces the one of the ClusterClass.',
  enabled:
    'enabled turns the MachineHealthCheck on or off. Defaults to true if a MachineHealthCheck is defined here or in the ClusterClass.',
  networkRanges: 'IP address ranges of the cluster.',
  clusterSpec:
    'spec is the desired state of the Cluster. At least one of controlPlaneRef, infrastructureRef and topology must be set.',
  clusterSpecControlPlaneEndpoint:
    'controlPlaneEndpoint is the address at which clients reach the API server of the cluster. If it is not set, it is copied from the infrastructure object or else from the control plane object.',
  clusterSpecInfrastructureRef:
    'infrastructureRef refers to the infrastructure object of a provider. It cannot be removed. Set by the topology controller if topology is set.',
  clusterStatus: 'status is the observed state of the Cluster.',
  clusterStatusControlPlane: 'controlPlane counts the control plane Machines of the Cluster.',
  clusterStatusWorkers: 'workers counts the worker Machines of the Cluster.',
  topologyVariables:
    'variables are the values of ClusterClass variables. They are validated against the schemas of the ClusterClass.',
  topologyVariablesName: 'name is the name of the variable.',
  topologyOverrides: 'variables override values of Cluster variables for this part of the topology.',
  controlPlaneTopology:
    'controlPlane configures the control plane. Its values take precedence over those of the ClusterClass.',
  controlPlaneTopologyMetadata:
    'metadata holds labels and annotations for the control plane object and its Machines, merged over those of the ClusterClass.',
  controlPlaneTopologyReplicas:
    'replicas is the number of control plane Machines. If not set, the topology does not manage the replicas of the control plane object.',
  deploymentTopologies:
    'machineDeployments are the MachineDeployments of the Cluster. Removing an entry deletes its MachineDeployment.',
  deploymentTopologiesClass: 'class is the name of a MachineDeployment class of the ClusterClass.',
  deploymentTopologiesMetadata:
    'metadata holds labels and annotations for the MachineDeployment and its Machines, merged over those of the ClusterClass.',
  deploymentTopologiesName:
    'name identifies the MachineDeployment within the topology. Changing it replaces the MachineDeployment.',
  deploymentTopologiesReplicas:
    'replicas is the number of Machines. If not set, the topology does not manage the replicas, which can then be set on the MachineDeployment, for example by an autoscaler.',
  poolTopologies: 'machinePools are the MachinePools of the Cluster. Removing an entry deletes its MachinePool.',
  poolTopologiesClass: 'class is the name of a MachinePool class of the ClusterClass.',
  poolTopologiesFailureDomains:
    'failureDomains are the failure domains over which the machines are spread. Defaults to the value of the ClusterClass.',
  poolTopologiesMetadata:
    'metadata holds labels and annotations for the MachinePool and its machines, merged over those of the ClusterClass.',
  poolTopologiesName: 'name identifies the MachinePool within the topology. Changing it replaces the MachinePool.',
  poolTopologiesReplicas:
    'replicas is the number of machines of the pool. If not set, the topology does not manage the replicas, which can then be set on the MachinePool, for example by an autoscaler.',
  topologyVariablesText:
    'variables are the values of ClusterClass variables for the whole Cluster. They are validated against the schemas of the ClusterClass.',
  topologyWorkers: 'workers are the worker machines of the Cluster.',
};
