import {
  defineKind,
  enumeration,
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
const labels = optional(map(string()));
const hooks = optional(list(object({ name: string(), owner: string() })));

const machineMeta = {
  name: text,
  generateName: text,
  namespace: text,
  labels,
  annotations: labels,
  ownerReferences: optional(list(anything)),
};

const machineSpecFields = {
  lifecycleHooks: optional(object({ preDrain: hooks, preTerminate: hooks })),
  metadata: optional(object(machineMeta)),
  providerID: text,
  providerSpec: optional(object({ value: optional(anything) })),
  taints: optional(list(anything)),
};

const authority = enumeration(['MachineAPI', 'ClusterAPI'], { default: 'MachineAPI' });
const authorityStatus = {
  authoritativeAPI: optional(enumeration(['', 'MachineAPI', 'ClusterAPI', 'Migrating'])),
  synchronizedAPI: optional(enumeration(['MachineAPI', 'ClusterAPI'])),
  synchronizedGeneration: optional(int64({ minimum: 0 })),
  conditions: machineConditions,
};

/** Authority passes through Migrating, is never taken back, and the generation grows but for the write that ends it. */
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
    message: 'synchronizedGeneration may only fall in the write that leaves Migrating',
  },
];

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
      description: 'A machine of Machine API.',
      rules: authorityRules,
      subresources: { status: true },
      columns: [
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      schema: {
        spec: optional(object({ ...machineSpecFields, authoritativeAPI: optional(authority) })),
        status: optional(
          partOf({
            ...authorityStatus,
            phase: text,
            nodeRef: optional(partOf({ apiVersion: text, kind: text, name: text })),
            addresses: optional(list(object({ type: string(), address: string() }))),
            errorReason: text,
            errorMessage: text,
            lastUpdated: text,
            providerStatus: optional(anything),
          }),
        ),
      },
    },
  ],
});

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
      description: 'Keeps a number of equal machines of Machine API.',
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
          object({
            replicas: optional(int32({ default: 1 })),
            minReadySeconds: optional(int32()),
            deletePolicy: optional(enumeration(['Random', 'Newest', 'Oldest'])),
            selector: optional(partOf({ matchLabels: labels })),
            template: optional(
              object({
                metadata: optional(object(machineMeta)),
                spec: optional(object(machineSpecFields)),
              }),
            ),
            authoritativeAPI: optional(authority),
          }),
        ),
        status: optional(
          partOf({
            ...authorityStatus,
            replicas: optional(int32()),
            readyReplicas: optional(int32()),
            availableReplicas: optional(int32()),
            fullyLabeledReplicas: optional(int32()),
            observedGeneration: optional(int64()),
            errorReason: text,
            errorMessage: text,
          }),
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
      description: 'Keeps the control plane machines of the cluster.',
      subresources: { status: true },
      schema: {
        spec: optional(partOf({ state: text, template: optional(anything) })),
        status: optional(anything),
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
