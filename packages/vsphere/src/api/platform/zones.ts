import { defineKind, object, type ObjectOf, optional } from '@slipway/kube/kit';

const schema = {
  spec: optional(object({}, { preserveUnknownFields: true })),
  status: optional(object({}, { preserveUnknownFields: true })),
} as const;

/** A zone of vSphere that a namespace may place machines in. */
export const zone = defineKind({
  group: 'topology.tanzu.vmware.com',
  kind: 'Zone',
  plural: 'zones',
  scope: 'Namespaced',
  versions: [
    { name: 'v1alpha1', served: true, storage: true, description: 'A zone as one namespace sees it.', schema },
  ],
});

/** A zone of vSphere, before zones were given out to namespaces. */
export const availabilityZone = defineKind({
  group: 'topology.tanzu.vmware.com',
  kind: 'AvailabilityZone',
  plural: 'availabilityzones',
  scope: 'Cluster',
  versions: [{ name: 'v1alpha1', served: true, storage: true, description: 'A zone of the Supervisor.', schema }],
});

export type Zone = ObjectOf<typeof zone>;
export type AvailabilityZone = ObjectOf<typeof availabilityZone>;
