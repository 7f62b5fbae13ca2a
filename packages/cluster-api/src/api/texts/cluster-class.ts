/** Field descriptions that several versions share. */
export const classTexts = {
  definitions: 'definitions are the inline patches. Either definitions or external must be set.',
  jsonPatches: 'jsonPatches are JSON patch operations (RFC 6902), applied in order.',
  op: 'op is the operation. One of add, replace, remove.',
  path: 'path is the JSON pointer of the field to change. It must start with /spec. In an array only the indexes 0 and - (append) are allowed.',
  value: 'value is the value to set. Either value or valueFrom must be set with add and replace.',
  valueFrom: 'valueFrom computes the value from variables. Either template or variable must be set.',
  valueFromTemplate:
    'template is a Go template that renders to the value in YAML. It can use the variables of the class and the built-in variables.',
  variable:
    'variable is the name of a variable, or the path of a part of it such as network.cidrs[0], whose value is set.',
  definitionsSelector: 'selector selects the templates that the patch applies to.',
  selectorApiVersion: 'apiVersion is the API group and version of the templates.',
  selectorKind: 'kind is the kind of the templates.',
  matchResources: 'matchResources selects templates by their place in the class. The fields are ORed.',
  matchResourcesControlPlane: 'controlPlane selects the templates of the control plane and its machines.',
  infrastructureCluster: 'infrastructureCluster selects the infrastructure cluster template.',
  machineDeploymentClass: 'machineDeploymentClass selects the templates of MachineDeployment classes.',
  machineDeploymentClassNames:
    'names are the names of MachineDeployment classes. A name may begin or end with *, or be *.',
  machinePoolClass: 'machinePoolClass selects the templates of MachinePool classes.',
  machinePoolClassNames: 'names are the names of MachinePool classes. A name may begin or end with *, or be *.',
  enabledIf:
    'enabledIf is a Go template. The patch is applied only if it renders to true. If not set, the patch is always applied.',
  external: 'external calls Runtime Extensions that generate the patches. Either definitions or external must be set.',
  discoverVariablesExtension:
    'discoverVariablesExtension is the name of the Runtime Extension handler that returns the variables of the patch.',
  settings:
    'settings are key-value pairs sent with each request. They take precedence over the settings of the ExtensionConfig.',
  bootstrap: 'bootstrap refers to the bootstrap template of the machines. Its kind may change.',
  failureDomain: 'failureDomain is the failure domain in which the Machines are placed. A Cluster can override it.',
  minReadySeconds:
    'minReadySeconds is how long, in seconds, a Machine must be Ready before it is considered Available. Defaults to 0. A Cluster can override it.',
  readinessGates:
    'readinessGates are additional conditions of the Machines that must be satisfied for their Ready condition to be True. A Cluster can override them.',
  failureDomains:
    'failureDomains are the failure domains over which the machines are spread. A Cluster can override them.',
  healthCheck:
    'healthCheck configures a MachineHealthCheck for these Machines. A Cluster can override it or turn it off.',
  machineInfrastructure:
    'machineInfrastructure refers to the infrastructure template of the control plane machines. Required if the control plane provider manages Machines.',
  availabilityGates:
    'availabilityGates are additional conditions of the Clusters that must be satisfied for their Available condition to be True. A Cluster can override them.',
  kubernetesVersions:
    'kubernetesVersions are the Kubernetes versions that Clusters of the class may use, in ascending order. An upgrade over several minor versions goes through them.',
  workers: 'workers describes the worker classes of the Clusters.',
  observedGeneration: 'observedGeneration is the metadata.generation that the controller last processed.',
  classPatches:
    'patches are changes to the templates of the class, applied in this order whenever the objects of a Cluster are generated.',
  classPatchesDescription: 'description is the purpose of the patch, for human readers.',
  classPatchesName: 'name is the name of the patch. Unique within the class.',
  deploymentClassesInfrastructure: 'infrastructure refers to the infrastructure template of the machines.',
  deploymentClassesMetadata:
    'metadata holds labels and annotations for the worker object and its machines. A Cluster can add to them.',
  deploymentClasses:
    'machineDeployments are the MachineDeployment classes. A class that a Cluster uses cannot be removed.',
  deploymentClassesClass:
    'class is the name by which Clusters refer to the MachineDeployment class. Unique within the list.',
  poolClasses: 'machinePools are the MachinePool classes. A class that a Cluster uses cannot be removed.',
  poolClassesClass: 'class is the name by which Clusters refer to the MachinePool class. Unique within the list.',
  controlPlaneClass: 'controlPlane describes the control plane of the Clusters.',
  controlPlaneClassMetadata:
    'metadata holds labels and annotations for the control plane object and its Machines. A Cluster can add to them.',
  clusterClassSpec:
    'spec holds the templates, variables and patches from which the objects of a Cluster are generated. A change is rolled out to all Clusters of the class.',
  clusterClassStatus: 'status is the observed state of the ClusterClass.',
};
