/** Field descriptions that several versions share. */
export const machineTexts = {
  bootstrap:
    'bootstrap defines where the bootstrap data of the Machine comes from. configRef or dataSecretName must be set.',
  configRef:
    'configRef refers to the bootstrap configuration. In the template of a MachineSet, MachineDeployment or MachinePool it refers to a bootstrap template, from which a configuration is created for each Machine.',
  dataSecretName:
    'dataSecretName is the name of the Secret with the bootstrap data. If it is not set, it is filled in once the bootstrap provider has created the Secret.',
  clusterName: 'clusterName is the name of the Cluster that this object belongs to. Immutable.',
  failureDomain:
    'failureDomain is the failure domain in which the Machine is placed. It must be one of the failure domains of the Cluster. In a template, a change triggers a rollout.',
  infrastructureRef:
    'infrastructureRef refers to the infrastructure object of the Machine. In the template of a MachineSet, MachineDeployment or MachinePool it refers to an infrastructure template.',
  providerID:
    'providerID is the ID of the Machine at the infrastructure provider, and equals spec.providerID of its Node. Copied from the infrastructure object.',
  readinessGates:
    'readinessGates are additional conditions of the Machine that must be satisfied for its Ready condition to be True. A change does not trigger a rollout.',
  version:
    'version is the Kubernetes version of the Machine. The v prefix is added if it is missing. In a template, a change triggers a rollout.',
  minReadySeconds:
    'minReadySeconds is how long, in seconds, a Machine must be Ready before it is considered Available. Defaults to 0. A change does not trigger a rollout.',
  addresses: 'addresses are the addresses of the Machine. Copied from the infrastructure object.',
  bootstrapReady: 'bootstrapReady is true once the bootstrap provider has created the bootstrap data Secret.',
  certificatesExpiryDate:
    'certificatesExpiryDate is the time at which the certificates of the Machine expire. Set only on control plane Machines.',
  failureMessage: 'failureMessage describes a terminal failure. Deprecated: use conditions.',
  failureReason: 'failureReason is a machine-readable reason of a terminal failure. Deprecated: use conditions.',
  infrastructureReady:
    'infrastructureReady is true once the infrastructure provider has provisioned the infrastructure.',
  lastUpdated: 'lastUpdated is the time at which phase last changed.',
  nodeRef: 'nodeRef refers to the Node of the Machine. It is set once and does not change afterwards.',
  observedGeneration: 'observedGeneration is the metadata.generation that the controller last processed.',
  fullyLabeledReplicas:
    'fullyLabeledReplicas is the number of Machines whose labels match those of the template. Deprecated.',
  replicas: 'replicas is the number of existing Machines, including those being deleted.',
  availableReplicas: 'availableReplicas is the number of Machines whose Available condition is True.',
  deprecatedV1beta1:
    'v1beta1 holds the status fields of the v1beta1 API. It is removed when v1beta1 is no longer served.',
  deprecatedV1beta1AvailableReplicas:
    'availableReplicas is the number of Machines whose Node has been Ready for at least minReadySeconds.',
  deprecatedV1beta1ReadyReplicas: 'readyReplicas is the number of Machines whose Node is Ready.',
  readyReplicas: 'readyReplicas is the number of Machines whose Ready condition is True.',
  upToDateReplicas:
    'upToDateReplicas is the number of Machines whose UpToDate condition is True: their spec matches the desired one.',
  unavailableReplicas: 'unavailableReplicas is the number of desired replicas that are not available.',
  updatedReplicas: 'updatedReplicas is the number of Machines of the MachineSet that matches the current template.',
  failureDomains:
    'failureDomains are the failure domains over which the infrastructure provider spreads the machines of the pool.',
  providerIDList:
    'providerIDList are the provider IDs of the machines of the pool. Copied from the infrastructure object.',
  nodeRefs: 'nodeRefs refer to the Nodes of the machines of the pool.',
  currentHealthy: 'currentHealthy is the number of selected Machines that are healthy.',
  expectedMachines: 'expectedMachines is the number of selected Machines.',
  remediationsAllowed:
    'remediationsAllowed is the number of further Machines that may become unhealthy before remediation stops.',
  targets: 'targets are the names of the selected Machines, sorted.',
  machineDeploymentSpec: 'spec is the desired state of the MachineDeployment.',
  machineDeploymentSpecPaused:
    'paused stops rollouts: changes of the template have no effect until it is false again. Scaling still works. Defaults to false.',
  machineDeploymentSpecReplicas:
    'replicas is the desired number of Machines. Defaults to 1, or to a value within the bounds of the autoscaler annotations if these are set.',
  machineDeploymentSpecSelector:
    'selector selects the MachineSets and Machines of the MachineDeployment. It must match the labels of the template. Defaults to labels with the names of the MachineDeployment and the Cluster.',
  machineDeploymentStatus: 'status is the observed state of the MachineDeployment.',
  machineDeploymentStatusV1Beta1AvailableReplicas:
    'availableReplicas is the number of Machines whose Node has been Ready for at least minReadySeconds.',
  machineDeploymentStatusPhase:
    'phase is a summary of the state of the MachineDeployment: ScalingUp, ScalingDown, Running, Failed or Unknown. Use conditions to make decisions.',
  machineDeploymentStatusV1Beta1ReadyReplicas: 'readyReplicas is the number of Machines whose Node is Ready.',
  machineDeploymentStatusSelector:
    'selector is the label selector of the Machines in text form, for the scale subresource.',
  machineHealthCheckSpec:
    'spec defines which Machines are checked, what makes them unhealthy and how they are remediated.',
  machineHealthCheckSpecSelector:
    'selector selects the Machines to check, among those of the Cluster. It must not be empty.',
  machineHealthCheckStatus: 'status is the observed state of the MachineHealthCheck.',
  machinePoolSpec: 'spec is the desired state of the MachinePool.',
  machinePoolSpecReplicas:
    'replicas is the desired number of machines of the pool. Defaults to 1, or to a value within the bounds of the autoscaler annotations if these are set.',
  machinePoolStatus: 'status is the observed state of the MachinePool.',
  machinePoolStatusPhase:
    'phase is a summary of the state of the MachinePool: Pending, Provisioning, Provisioned, Running, ScalingUp, ScalingDown, Scaling, Deleting, Failed or Unknown. Use conditions to make decisions.',
  machinePoolStatusReplicas:
    'replicas is the number of existing machines of the pool. Copied from the infrastructure object.',
  machineSetSpec: 'spec is the desired state of the MachineSet.',
  machineSetSpecSelector:
    'selector selects the Machines of the MachineSet. It must match the labels of the template. A label with the name of the Cluster is added.',
  machineSetStatus: 'status is the observed state of the MachineSet.',
  machineSpec: 'spec is the desired state of the Machine.',
  machineTemplate: 'template describes the Machines to create.',
  machineTemplateMetadata:
    'metadata holds the labels and annotations of the created Machines. A change is applied to existing Machines without a rollout.',
  machineTemplateSpec:
    'spec is the spec of the created Machines. A change of version, bootstrap, infrastructureRef or failureDomain triggers a rollout; other fields are applied in place.',
  machineStatus: 'status is the observed state of the Machine.',
  machineStatusPhase:
    'phase is a summary of the lifecycle of the Machine: Pending, Provisioning, Provisioned, Running, Deleting and others. Use conditions to make decisions.',
  machineDeploymentStatusDeprecated:
    'deprecated holds status fields of earlier API versions. It is removed together with those versions.',
};
