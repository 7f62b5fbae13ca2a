/** Field descriptions that several versions share. */
export const specTexts = {
  failureDomains:
    'failureDomains are the failure domains to report in the status. They have no effect on where containers run.',
  inMemory: 'inMemory simulates the cluster in memory.',
  controlPlaneEndpoint:
    'controlPlaneEndpoint is the address at which clients reach the API server of the cluster. Set by the infrastructure provider.',
  devClusterSpec: 'spec is the desired state of the infrastructure of the cluster.',
  devClusterSpecBackend: 'backend defines how the cluster runs. Exactly one of docker and inMemory must be set.',
  devClusterSpecBackendDocker:
    'docker runs the load balancer of the cluster as a container. Not supported by Slipway: DevClusters with this backend are not provisioned.',
  devMachineSpec: 'spec is the desired state of the machine.',
  devMachineSpecProviderID:
    'providerID identifies the machine and equals spec.providerID of its Node. Set by the infrastructure provider.',
};
