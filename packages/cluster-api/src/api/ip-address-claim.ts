import { defineKind, object, optional, refine, string, type ObjectOf } from '@slipway/kube/kit';
import { conditions, deprecatedConditions, v1beta1Conditions, v1beta2Conditions } from './shared/conditions.js';
import { contractReference, nameReference, nameReferenceV1Beta1, poolReferenceV1Beta1 } from './shared/references.js';

const texts = {
  kind: 'IPAddressClaim requests an IP address from a pool. Deleting the claim releases the address.',
  spec: 'spec is the request. Immutable.',
  poolRef: 'poolRef refers to the pool that the address is allocated from.',
  status: 'status is the observed state of the IPAddressClaim.',
  addressRef: 'addressRef refers to the allocated IPAddress. Absent until an address is allocated.',
  clusterName:
    'clusterName is the name of the Cluster that the claim belongs to. While that Cluster is paused, the claim is not processed.',
};

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
      description: texts.kind,
      schema: {
        spec: optional(
          object(
            {
              poolRef: refine(poolReferenceV1Beta1, { description: texts.poolRef }),
            },
            { description: texts.spec },
          ),
        ),
        status: optional(
          object(
            {
              addressRef: optional(refine(nameReferenceV1Beta1, { description: texts.addressRef })),
              conditions: optional(v1beta1Conditions),
            },
            { description: texts.status },
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
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description: texts.kind,
      schema: {
        spec: optional(
          object(
            {
              clusterName: optional(string({ minLength: 1, maxLength: 63, description: texts.clusterName })),
              poolRef: refine(poolReferenceV1Beta1, { description: texts.poolRef }),
            },
            { description: texts.spec },
          ),
        ),
        status: optional(
          object(
            {
              addressRef: optional(refine(nameReferenceV1Beta1, { description: texts.addressRef })),
              conditions: optional(v1beta1Conditions),
              v1beta2: optional(v1beta2Conditions),
            },
            { description: texts.status },
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
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: texts.kind,
      schema: {
        spec: object(
          {
            clusterName: optional(string({ minLength: 1, maxLength: 63, description: texts.clusterName })),
            poolRef: refine(contractReference, { description: texts.poolRef }),
          },
          { description: texts.spec },
        ),
        status: optional(
          object(
            {
              addressRef: optional(refine(nameReference, { description: texts.addressRef })),
              conditions: optional(conditions),
              deprecated: optional(deprecatedConditions),
            },
            { minProperties: 1, description: texts.status },
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
