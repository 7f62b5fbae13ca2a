import { defineKind, object, optional, string, type ObjectOf } from '@slipway/kube/kit';
import { conditions, deprecatedConditions, v1beta1Conditions, v1beta2Conditions } from './shared/conditions.js';
import { contractReference, nameReference, nameReferenceV1Beta1, poolReferenceV1Beta1 } from './shared/references.js';

export const ipAddressClaim = defineKind({
  group: 'ipam.cluster.x-k8s.io',
  kind: 'IPAddressClaim',
  plural: 'ipaddressclaims',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: false,
      description: 'Asks for an address out of a pool.',
      schema: {
        spec: optional(
          object({
            poolRef: poolReferenceV1Beta1,
          }),
        ),
        status: optional(
          object({
            addressRef: optional(nameReferenceV1Beta1),
            conditions: optional(v1beta1Conditions),
          }),
        ),
      },
      subresources: { status: true },
      columns: [
        { name: 'Pool Name', type: 'string', jsonPath: '.spec.poolRef.name' },
        { name: 'Pool Kind', type: 'string', jsonPath: '.spec.poolRef.kind' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description: 'Asks for an address out of a pool.',
      schema: {
        spec: optional(
          object({
            clusterName: optional(string({ minLength: 1, maxLength: 63 })),
            poolRef: poolReferenceV1Beta1,
          }),
        ),
        status: optional(
          object({
            addressRef: optional(nameReferenceV1Beta1),
            conditions: optional(v1beta1Conditions),
            v1beta2: optional(v1beta2Conditions),
          }),
        ),
      },
      subresources: { status: true },
      columns: [
        { name: 'Pool Name', type: 'string', jsonPath: '.spec.poolRef.name' },
        { name: 'Pool Kind', type: 'string', jsonPath: '.spec.poolRef.kind' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: 'Asks for an address out of a pool.',
      schema: {
        spec: object({
          clusterName: optional(string({ minLength: 1, maxLength: 63 })),
          poolRef: contractReference,
        }),
        status: optional(
          object(
            {
              addressRef: optional(nameReference),
              conditions: optional(conditions),
              deprecated: optional(deprecatedConditions),
            },
            { minProperties: 1 },
          ),
        ),
      },
      subresources: { status: true },
      columns: [
        { name: 'Pool Name', type: 'string', jsonPath: '.spec.poolRef.name' },
        { name: 'Pool Kind', type: 'string', jsonPath: '.spec.poolRef.kind' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type IPAddressClaim = ObjectOf<typeof ipAddressClaim>;
export type IPAddressClaimV1Beta1 = ObjectOf<typeof ipAddressClaim, 'v1beta1'>;
