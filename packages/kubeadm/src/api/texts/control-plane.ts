/** Field descriptions that several versions share. */
export const controlPlaneTexts = {
  rolloutBeforeV1Beta1: 'rolloutBefore triggers a rollout before an event, such as the expiration of certificates.',
  certificatesExpiryDays:
    'certificatesExpiryDays triggers the replacement of a machine whose certificates expire within this number of days. At least 7. If not set, expiring certificates do not trigger a rollout.',
  controlPlaneRolloutV1Beta1: 'rolloutStrategy is how control plane machines are replaced.',
  rollingUpdate: 'rollingUpdate configures the strategy RollingUpdate.',
  maxSurge:
    'maxSurge is how many machines may exist above the desired replicas during a rollout: 0 or 1. Defaults to 1. 0 requires at least 3 replicas.',
  type: 'type is the rollout strategy. RollingUpdate is the only one and the default.',
  controlPlaneRemediationV1Beta1: 'remediationStrategy configures the remediation of unhealthy control plane machines.',
  maxRetry:
    'maxRetry is how many times the remediation of a machine is retried if its replacement becomes unhealthy too. Defaults to no limit.',
  minHealthyPeriod:
    'minHealthyPeriod is the time after a remediation during which another failure counts as a retry of that remediation, as a duration such as 1h. Defaults to 1h.',
  retryPeriod:
    'retryPeriod is how long to wait between a remediation and its retry, as a duration such as 10m. Defaults to 0s.',
  kubeadmControlPlaneSpecV1Beta1: 'spec is the desired state of the control plane.',
  kubeadmConfigSpec:
    'kubeadmConfigSpec is the bootstrap configuration of the control plane machines. A change of most fields triggers a rollout.',
  machineTemplate: 'machineTemplate describes the control plane machines.',
  infrastructureRef:
    'infrastructureRef refers to the infrastructure template of the machines. A change triggers a rollout.',
  machineTemplateMetadata:
    'metadata holds the labels and annotations of the control plane machines. A change is applied to existing machines without a rollout.',
  readinessGates:
    'readinessGates are additional conditions of the machines that must be satisfied for their Ready condition to be True, in addition to those of the control plane components. A change does not trigger a rollout.',
  kubeadmControlPlaneSpecV1Beta1Replicas:
    'replicas is the desired number of control plane machines. Defaults to 1. It must be odd unless etcd is external.',
  rolloutAfter: 'rolloutAfter triggers a rollout of all machines created before this time, once this time has passed.',
  kubeadmControlPlaneSpecV1Beta1Version:
    'version is the Kubernetes version of the control plane. The v prefix is added if it is missing. A change triggers a rollout; it must not skip a minor version.',
  kubeadmControlPlaneStatusV1Beta1: 'status is the observed state of the control plane.',
  failureMessage: 'failureMessage describes a terminal failure. Deprecated: use conditions.',
  failureReason: 'failureReason is a machine-readable reason of a terminal failure. Deprecated: use conditions.',
  initialized:
    'initialized is true once the first control plane machine has been initialized and its API server can serve requests. It never changes back to false.',
  lastRemediation: 'lastRemediation describes the last remediation of a control plane machine.',
  lastRemediationMachine: 'machine is the name of the machine that was remediated.',
  retryCount: 'retryCount is the number of retries of the remediation.',
  timestamp: 'timestamp is the time at which the remediation began.',
  observedGeneration: 'observedGeneration is the metadata.generation that the controller last processed.',
  ready: 'ready is true if the API server of the control plane can serve requests.',
  kubeadmControlPlaneStatusV1Beta1ReadyReplicas: 'readyReplicas is the number of machines whose Node is Ready.',
  kubeadmControlPlaneStatusV1Beta1Replicas:
    'replicas is the number of existing control plane machines, including those being deleted.',
  kubeadmControlPlaneStatusV1Beta1Selector:
    'selector is the label selector of the machines in text form, for the scale subresource.',
  unavailableReplicas: 'unavailableReplicas is the number of desired replicas that are not ready.',
  updatedReplicas: 'updatedReplicas is the number of machines that match the desired spec.',
  kubeadmControlPlaneStatusV1Beta1Version: 'version is the lowest Kubernetes version of the control plane machines.',
  controlPlaneRollout: 'rollout configures when and how control plane machines are replaced.',
  after: 'after triggers a rollout of all machines created before this time, once this time has passed.',
  before: 'before triggers a rollout before an event, such as the expiration of certificates.',
  strategy: 'strategy is how control plane machines are replaced.',
  controlPlaneRemediation: 'remediation configures the remediation of unhealthy control plane machines.',
  minHealthyPeriodSeconds:
    'minHealthyPeriodSeconds is the time, in seconds, after a remediation during which another failure counts as a retry of that remediation. Defaults to 3600.',
  retryPeriodSeconds:
    'retryPeriodSeconds is how long, in seconds, to wait between a remediation and its retry. Defaults to 0.',
  machineTemplateSpec: 'spec is the spec of the control plane machines.',
  availableReplicas: 'availableReplicas is the number of machines whose Available condition is True.',
  deprecated: 'deprecated holds status fields of earlier API versions. It is removed together with those versions.',
  deprecatedV1beta1:
    'v1beta1 holds the status fields of the v1beta1 API. It is removed when v1beta1 is no longer served.',
  initialization: 'initialization records which steps of the first provisioning are complete.',
  controlPlaneInitialized:
    'controlPlaneInitialized is true once the first control plane machine has been initialized and its API server can serve requests. It never changes back to false.',
  time: 'time is the time at which the remediation began.',
  readyReplicas: 'readyReplicas is the number of machines whose Ready condition is True.',
  upToDateReplicas:
    'upToDateReplicas is the number of machines whose UpToDate condition is True: their spec matches the desired one.',
  kubeadmControlPlaneTemplate:
    'KubeadmControlPlaneTemplate is the template from which a ClusterClass creates KubeadmControlPlanes.',
  spec: 'spec is the desired state of the template.',
  specTemplate: 'template is the metadata and the spec of the objects created from this template.',
  templateSpec:
    'spec is the spec of the created control planes, without replicas, version and infrastructure template, which the Cluster topology sets. Immutable: create another template and refer to it instead.',
};
