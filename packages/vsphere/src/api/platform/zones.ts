import { defineKind, object, optional } from '@slipway/kube/kit';

const schema = {
  spec: optional(
    object(
      {},
      { preserveUnknownFields: true, description: 'Defined by the Supervisor. The provider does not read it.' },
    ),
  ),
  status: optional(
    object(
      {},
      { preserveUnknownFields: true, description: 'Defined by the Supervisor. The provider does not read it.' },
    ),
  ),
} as const;

/** A vSphere zone that a namespace may place virtual machines in. */
export const zone = defineKind({
  group: 'topology.tanzu.vmware.com',
  kind: 'Zone',
  plural: 'zones',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description:
        'A vSphere zone that virtual machines of the namespace can be placed in. Clusters use its name as a failure domain.',
      schema,
    },
  ],
});

/** A vSphere zone in Supervisors that do not assign zones to namespaces. */
export const availabilityZone = defineKind({
  group: 'topology.tanzu.vmware.com',
  kind: 'AvailabilityZone',
  plural: 'availabilityzones',
  scope: 'Cluster',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'A vSphere zone of the Supervisor. Clusters use its name as a failure domain.',
      schema,
    },
  ],
});
