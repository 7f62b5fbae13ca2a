import {
  defineKind,
  enumeration,
  freeObject,
  int32,
  int64,
  list,
  map,
  object,
  type ObjectOf,
  optional,
  string,
} from '@slipway/kube/kit';
import { resourceOf } from '@slipway/runtime';
import { anything, machineConditions, partOf, text } from './shared.js';

const group = 'machine.openshift.io';

function hooks(description: string) {
  const hook = object({
    name: string({ description: 'Name of the hook, unique in the list.' }),
    owner: string({ description: 'Owner of the hook, which removes it when the machine may continue.' }),
  });
  return optional(list(hook, { description }));
}

const machineMeta = {
  name: text('Name of the objects that are created from this template.'),
  generateName: text('Prefix of the generated names of the objects, if name is empty.'),
  namespace: text('Namespace of the objects that are created from this template.'),
  labels: optional(map(string(), { description: 'Labels of the objects.' })),
  annotations: optional(map(string(), { description: 'Annotations of the objects.' })),
  ownerReferences: optional(list(freeObject(), { description: 'Owner references of the objects.' })),
};

const lifecycleHooks = object(
  {
    preDrain: hooks('Hooks that block the deletion of the machine before its Node is drained.'),
    preTerminate: hooks(
      'Hooks that block the deletion of the machine after its Node is drained and before its instance is deleted.',
    ),
  },
  { description: 'Hooks that pause the deletion of the machine until their owners remove them.' },
);

const machineSpecFields = {
  lifecycleHooks: optional(lifecycleHooks),
  metadata: optional(object(machineMeta, { description: 'Labels and annotations that are copied to the Node.' })),
  providerID: text('Provider ID of the machine, by which its Node is found.'),
  providerSpec: optional(
    object(
      { value: optional(anything('Configuration of the machine, in the API of the platform.')) },
      { description: 'Platform-specific configuration of the machine. It is used when the machine is created.' },
    ),
  ),
  taints: optional(list(freeObject(), { description: 'Taints that are added to the Node. They are never removed.' })),
};

const authority = enumeration(['MachineAPI', 'ClusterAPI'], {
  default: 'MachineAPI',
  description:
    'Desired authoritative API of this resource. A change starts a migration. The resource of the other API is a paused mirror.',
});
const authorityStatus = {
  authoritativeAPI: optional(
    enumeration(['', 'MachineAPI', 'ClusterAPI', 'Migrating'], {
      description: 'API that is authoritative now, or Migrating during a migration. It cannot be removed once set.',
    }),
  ),
  synchronizedAPI: optional(
    enumeration(['MachineAPI', 'ClusterAPI'], {
      description:
        'API that was authoritative before the current migration. The controller uses it to detect an aborted migration.',
    }),
  ),
  synchronizedGeneration: optional(
    int64({
      minimum: 0,
      description:
        'Generation of the authoritative resource that was last synchronized to the mirror. It only decreases when a migration ends.',
    }),
  ),
  conditions: machineConditions,
};

const errorFields = {
  errorReason: text('Reason of a terminal error, as one UpperCamelCase word. The resource must be replaced.'),
  errorMessage: text('Human-readable details of a terminal error.'),
};

/**
 * CEL rules: authoritativeAPI changes only through Migrating and is never removed, and synchronizedGeneration decreases only in
 * the write that ends a migration.
 */
const authorityRules = [
  {
    rule: "!has(oldSelf.status) || !has(oldSelf.status.authoritativeAPI) || oldSelf.status.authoritativeAPI == '' || (has(self.status) && has(self.status.authoritativeAPI) && self.status.authoritativeAPI != '')",
    message: 'authoritativeAPI may not be removed once set',
  },
  {
    rule: "!has(self.status) || !has(self.status.authoritativeAPI) || !has(oldSelf.status) || !has(oldSelf.status.authoritativeAPI) || oldSelf.status.authoritativeAPI == '' || self.status.authoritativeAPI == oldSelf.status.authoritativeAPI || self.status.authoritativeAPI == 'Migrating' || oldSelf.status.authoritativeAPI == 'Migrating'",
    message: 'authoritativeAPI may only change to or from Migrating',
  },
  {
    rule: "!has(oldSelf.status) || !has(oldSelf.status.synchronizedGeneration) || (has(self.status) && has(self.status.synchronizedGeneration) && self.status.synchronizedGeneration >= oldSelf.status.synchronizedGeneration) || (has(oldSelf.status.authoritativeAPI) && oldSelf.status.authoritativeAPI == 'Migrating' && self.status.authoritativeAPI != 'Migrating')",
    message: 'synchronizedGeneration may only decrease when authoritativeAPI changes from Migrating',
  },
];

const nodeReference = partOf(
  {
    apiVersion: text('API version of the Node.'),
    kind: text('Kind of the object, which is Node.'),
    name: text('Name of the Node.'),
  },
  'Node of the machine.',
);

const machineAddress = object({
  type: string({ description: 'Type of the address, such as InternalIP, ExternalIP, InternalDNS or Hostname.' }),
  address: string({ description: 'IP address or name.' }),
});

export const mapiMachine = defineKind({
  group,
  kind: 'Machine',
  plural: 'machines',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: true,
      description: 'Machine is a machine of the OpenShift Machine API.',
      rules: authorityRules,
      subresources: { status: true },
      columns: [
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      schema: {
        spec: optional(
          object(
            { ...machineSpecFields, authoritativeAPI: optional(authority) },
            { description: 'Desired state of the machine.' },
          ),
        ),
        status: optional(
          partOf(
            {
              ...authorityStatus,
              ...errorFields,
              phase: text('Phase of the machine: Provisioning, Provisioned, Running, Deleting or Failed.'),
              nodeRef: optional(nodeReference),
              addresses: optional(list(machineAddress, { description: 'Addresses of the machine.' })),
              lastUpdated: text('Time at which this status was last updated.'),
              providerStatus: optional(anything('Observed state of the instance, in the API of the platform.')),
            },
            'Observed state of the machine.',
          ),
        ),
      },
    },
  ],
});

const machineSelector = partOf(
  { matchLabels: optional(map(string(), { description: 'Labels that a machine must have.' })) },
  'Selects the machines of the MachineSet. It must match the labels of the template.',
);

const machineTemplate = object(
  {
    metadata: optional(object(machineMeta, { description: 'Labels and annotations of new machines.' })),
    spec: optional(object(machineSpecFields, { description: 'Spec of new machines.' })),
  },
  { description: 'Template of new machines. A change does not affect existing machines.' },
);

export const mapiMachineSet = defineKind({
  group,
  kind: 'MachineSet',
  plural: 'machinesets',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: true,
      description: 'MachineSet maintains a number of identical machines of the OpenShift Machine API.',
      rules: authorityRules,
      subresources: {
        status: true,
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
      columns: [
        { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' },
        { name: 'Current', type: 'integer', jsonPath: '.status.replicas' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      schema: {
        spec: optional(
          object(
            {
              replicas: optional(int32({ default: 1, description: 'Number of machines.' })),
              minReadySeconds: optional(
                int32({
                  description:
                    'Seconds that a Node must be ready before its machine counts as available. Defaults to 0.',
                }),
              ),
              deletePolicy: optional(
                enumeration(['Random', 'Newest', 'Oldest'], {
                  description: 'Which machines are deleted first when replicas decreases. Defaults to Random.',
                }),
              ),
              selector: optional(machineSelector),
              template: optional(machineTemplate),
              authoritativeAPI: optional(authority),
            },
            { description: 'Desired state of the MachineSet.' },
          ),
        ),
        status: optional(
          partOf(
            {
              ...authorityStatus,
              ...errorFields,
              replicas: optional(int32({ description: 'Number of machines that exist.' })),
              readyReplicas: optional(int32({ description: 'Number of machines whose Node is ready.' })),
              availableReplicas: optional(
                int32({ description: 'Number of machines whose Node has been ready for minReadySeconds.' }),
              ),
              fullyLabeledReplicas: optional(
                int32({ description: 'Number of machines that have all labels of the template.' }),
              ),
              observedGeneration: optional(
                int64({ description: 'Value of metadata.generation that was last reconciled.' }),
              ),
            },
            'Observed state of the MachineSet.',
          ),
        ),
      },
    },
  ],
});

export const controlPlaneMachineSet = defineKind({
  group,
  kind: 'ControlPlaneMachineSet',
  plural: 'controlplanemachinesets',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      description: 'ControlPlaneMachineSet manages the control plane machines of an OpenShift cluster.',
      subresources: { status: true },
      schema: {
        spec: optional(
          partOf(
            {
              state: text('Active if control plane machines are replaced, otherwise Inactive.'),
              template: optional(anything('Template of the control plane machines.')),
            },
            'Desired state of the control plane machines.',
          ),
        ),
        status: optional(anything('Observed state of the control plane machines.')),
      },
    },
  ],
});

export const mapiMachines = resourceOf(mapiMachine);
export const mapiMachineSets = resourceOf(mapiMachineSet);
export const controlPlaneMachineSets = resourceOf(controlPlaneMachineSet);
export type MapiMachine = ObjectOf<typeof mapiMachine>;
export type MapiMachineSet = ObjectOf<typeof mapiMachineSet>;
export type ControlPlaneMachineSet = ObjectOf<typeof controlPlaneMachineSet>;
