import { conditions, contractLabels, controlPlaneEndpoint, machineAddresses } from '@slipway/cluster-api/schemas';
import { boolean, defineKind, object, optional, string } from '@slipway/kube/kit';
import { resourceOf } from '@slipway/runtime';

const group = 'infrastructure.cluster.x-k8s.io';
const initialization = optional(object({ provisioned: optional(boolean()) }, { minProperties: 1 }));
const machineSpec = object({ providerID: optional(string({ minLength: 1, maxLength: 512 })) });
const common = { group, scope: 'Namespaced', categories: ['cluster-api'], labels: contractLabels } as const;
const version = { name: 'v1beta2', served: true, storage: true } as const;
const subresources = { status: true } as const;

const pondCluster = defineKind({
  ...common,
  kind: 'PondCluster',
  plural: 'pondclusters',
  versions: [
    {
      ...version,
      subresources,
      schema: {
        spec: optional(object({ controlPlaneEndpoint: optional(controlPlaneEndpoint) })),
        status: optional(object({ initialization, conditions: optional(conditions) })),
      },
    },
  ],
});

const pondMachine = defineKind({
  ...common,
  kind: 'PondMachine',
  plural: 'pondmachines',
  versions: [
    {
      ...version,
      subresources,
      schema: {
        spec: optional(machineSpec),
        status: optional(
          object({ initialization, addresses: optional(machineAddresses), conditions: optional(conditions) }),
        ),
      },
    },
  ],
});

/** What a MachineSet or a control plane makes its machines from. */
const pondMachineTemplate = defineKind({
  ...common,
  kind: 'PondMachineTemplate',
  plural: 'pondmachinetemplates',
  versions: [{ ...version, schema: { spec: object({ template: object({ spec: machineSpec }) }) } }],
});

export const pondKinds = [pondCluster, pondMachine, pondMachineTemplate];
export const pondClusters = resourceOf(pondCluster);
export const pondMachines = resourceOf(pondMachine);
