import { defineKind, enumeration, map, object, optional, quantity, type ObjectOf } from '@slipway/kube/kit';
import { contractLabels, templateMetadata } from '@slipway/cluster-api/schemas';
import { ageColumn, clusterClassColumn, ownerClusterColumn } from '../shared/columns.js';
import { supervisorMachineSpec, supervisorMachineSpecV1Beta1 } from './machine-spec.js';

const description =
  'A template for VSphereMachines in a Supervisor, referenced by a control plane, a MachineDeployment or a ClusterClass. Its spec.template.spec is immutable: create a new template and refer to it to roll out a change.';
const specDescription = 'The template.';
const statusDescription =
  'Resources of a machine that is created from this template. The cluster autoscaler uses them to scale a node group up from zero.';
const capacityDescription = 'CPU and memory of the VirtualMachineClass that the template names.';
const templateDescription = 'Metadata and spec of the VSphereMachines that are created from this template.';

export const supervisorMachineTemplate = defineKind({
  group: 'vmware.infrastructure.cluster.x-k8s.io',
  kind: 'VSphereMachineTemplate',
  plural: 'vspheremachinetemplates',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description,
      schema: {
        spec: optional(
          object(
            { template: object({ spec: supervisorMachineSpecV1Beta1 }, { description: templateDescription }) },
            { description: specDescription },
          ),
        ),
        status: optional(
          object(
            { capacity: optional(map(quantity(), { description: capacityDescription })) },
            { description: statusDescription },
          ),
        ),
      },
      subresources: { status: true },
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description,
      schema: {
        spec: optional(
          object(
            {
              template: object(
                { metadata: optional(templateMetadata), spec: optional(supervisorMachineSpec) },
                { minProperties: 1, description: templateDescription },
              ),
            },
            { description: specDescription },
          ),
        ),
        status: optional(
          object(
            {
              capacity: optional(map(quantity(), { description: capacityDescription })),
              nodeInfo: optional(
                object(
                  {
                    architecture: optional(
                      enumeration(['amd64', 'arm64', 's390x', 'ppc64le'], {
                        description: 'CPU architecture of the image, as in the Node label kubernetes.io/arch.',
                      }),
                    ),
                    operatingSystem: optional(
                      enumeration(['linux', 'windows'], {
                        description: 'Operating system of the image, as in the Node label kubernetes.io/os.',
                      }),
                    ),
                  },
                  {
                    minProperties: 1,
                    description: 'Properties of the image that the template names. Absent if the image is not found.',
                  },
                ),
              ),
            },
            { minProperties: 1, description: statusDescription },
          ),
        ),
      },
      subresources: { status: true },
      columns: [clusterClassColumn, ownerClusterColumn, ageColumn],
    },
  ],
});

export type SupervisorMachineTemplate = ObjectOf<typeof supervisorMachineTemplate>;
