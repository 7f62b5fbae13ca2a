import { conditions, contractLabels, controlPlaneEndpoint, machineAddresses } from '@slipway/cluster-api/schemas';
import { boolean, defineKind, object, optional, string } from '@slipway/kube/kit';
import { resourceOf } from '@slipway/runtime';

const group = 'infrastructure.cluster.x-k8s.io';
const initialization = optional(
  object(
    {
      provisioned: optional(
        boolean({ description: 'Whether the infrastructure has been provisioned. True never changes back.' }),
      ),
    },
    { minProperties: 1, description: 'Initialization state that Cluster API reads.' },
  ),
);
const machineSpec = object(
  {
    providerID: optional(
      string({
        minLength: 1,
        maxLength: 512,
        description: 'Provider ID of the machine and of its Node. The controller sets it; it does not change.',
      }),
    ),
  },
  { description: 'Desired state of the machine.' },
);
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
      description: 'PondCluster is the infrastructure of a cluster on the pond provider.',
      schema: {
        spec: optional(
          object(
            { controlPlaneEndpoint: optional(controlPlaneEndpoint) },
            { description: 'Desired state of the infrastructure of the cluster.' },
          ),
        ),
        status: optional(
          object(
            { initialization, conditions: optional(conditions) },
            { description: 'Observed state of the infrastructure of the cluster.' },
          ),
        ),
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
      description: 'PondMachine is a server of the pond provider.',
      schema: {
        spec: optional(machineSpec),
        status: optional(
          object(
            { initialization, addresses: optional(machineAddresses), conditions: optional(conditions) },
            { description: 'Observed state of the machine.' },
          ),
        ),
      },
    },
  ],
});

const template = object({ spec: machineSpec }, { description: 'PondMachine to create.' });

/** The template of the machines of a MachineSet or a control plane. */
const pondMachineTemplate = defineKind({
  ...common,
  kind: 'PondMachineTemplate',
  plural: 'pondmachinetemplates',
  versions: [
    {
      ...version,
      description: 'PondMachineTemplate is the template from which PondMachines are created.',
      schema: { spec: object({ template }, { description: 'Desired state of the machines of this template.' }) },
    },
  ],
});

export const pondKinds = [pondCluster, pondMachine, pondMachineTemplate];
export const pondClusters = resourceOf(pondCluster);
export const pondMachines = resourceOf(pondMachine);
