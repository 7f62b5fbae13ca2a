import { atomicList, boolean, defineKind, list, object, optional, string, type ObjectOf } from '@slipway/kube/kit';
import { contractLabels, objectReference } from '@slipway/cluster-api/schemas';
import { ageColumn } from '../shared/columns.js';
import { text } from '../shared/limits.js';

const description = 'Rights in the Supervisor for a component of the workload cluster, which gets a token for them.';

const rule = object({
  apiGroups: optional(atomicList(string())),
  nonResourceURLs: optional(atomicList(string())),
  resourceNames: optional(atomicList(string())),
  resources: optional(atomicList(string())),
  verbs: atomicList(string()),
});

const columns = [
  { name: 'VSphereCluster', type: 'string', jsonPath: '.spec.ref.name' },
  { name: 'TargetNamespace', type: 'string', jsonPath: '.spec.targetNamespace' },
  { name: 'TargetSecretName', type: 'string', jsonPath: '.spec.targetSecretName' },
  ageColumn,
] as const;

// Upstream writes no status; the design it follows has these two fields.
const status = object({
  errorMsg: optional(string({ description: 'Why the token could not be handed over.' })),
  ready: optional(boolean({ description: 'Whether the workload cluster has the token.' })),
});

export const providerServiceAccount = defineKind({
  group: 'vmware.infrastructure.cluster.x-k8s.io',
  kind: 'ProviderServiceAccount',
  plural: 'providerserviceaccounts',
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
          object({
            ref: objectReference,
            rules: list(rule),
            targetNamespace: string(),
            targetSecretName: string(),
          }),
        ),
        status: optional(status),
      },
      subresources: { status: true },
      columns,
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      deprecated: true,
      description,
      schema: {
        spec: object({
          ref: objectReference,
          rules: atomicList(rule, { maxItems: 1024 }),
          targetNamespace: text(63),
          targetSecretName: text(253),
        }),
        status: optional(status),
      },
      subresources: { status: true },
      columns,
    },
  ],
});

export type ProviderServiceAccount = ObjectOf<typeof providerServiceAccount>;
export type ProviderServiceAccountV1Beta1 = ObjectOf<typeof providerServiceAccount, 'v1beta1'>;
