import { atomicList, boolean, defineKind, list, object, optional, string, type ObjectOf } from '@slipway/kube/kit';
import { contractLabels, objectReference } from '@slipway/cluster-api/schemas';
import { ageColumn } from '../shared/columns.js';
import { text } from '../shared/limits.js';
import { withDescriptions } from '../shared/with-descriptions.js';

const description =
  'Gives a component of the workload cluster access to the Supervisor. The controller creates a ServiceAccount with the given rules, and copies its token to the workload cluster.';
const specDescription = 'The cluster, the rules and the destination of the token.';
const statusDescription = 'Whether the token was copied.';

const descriptions = {
  ref: 'VSphereCluster that the account belongs to. Only its name is used; the namespace is that of this object.',
  rules:
    'Rules of the Role that is bound to the ServiceAccount. They can include only permissions that the controller manager has itself.',
  targetNamespace: 'Namespace in the workload cluster that the token is copied to. It is created if it does not exist.',
  targetSecretName: 'Name of the Secret in the workload cluster that the token is copied to.',
} as const;

const rule = object(
  withDescriptions(
    {
      apiGroups: optional(atomicList(string())),
      nonResourceURLs: optional(atomicList(string())),
      resourceNames: optional(atomicList(string())),
      resources: optional(atomicList(string())),
      verbs: atomicList(string()),
    },
    {
      apiGroups: 'API groups of the resources. "" is the core group, and "*" is all groups.',
      nonResourceURLs: 'URL paths that are not resources. Must be empty, because a Role applies to one namespace.',
      resourceNames: 'Names of the objects that the rule applies to. Empty means all objects.',
      resources: 'Resources that the rule applies to. "*" is all resources.',
      verbs: 'Verbs that the rule allows. "*" is all verbs.',
    },
  ),
);

const columns = [
  { name: 'VSphereCluster', type: 'string', jsonPath: '.spec.ref.name' },
  { name: 'TargetNamespace', type: 'string', jsonPath: '.spec.targetNamespace' },
  { name: 'TargetSecretName', type: 'string', jsonPath: '.spec.targetSecretName' },
  ageColumn,
] as const;

// Upstream serves no status. The fields are those of the design document that upstream follows.
const status = object(
  {
    errorMsg: optional(string({ description: 'Why the token could not be copied. Absent if it was copied.' })),
    ready: optional(boolean({ description: 'Whether the token was copied to the workload cluster.' })),
  },
  { description: statusDescription },
);

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
          object(
            withDescriptions(
              { ref: objectReference, rules: list(rule), targetNamespace: string(), targetSecretName: string() },
              descriptions,
            ),
            { description: specDescription },
          ),
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
        spec: object(
          withDescriptions(
            {
              ref: objectReference,
              rules: atomicList(rule, { maxItems: 1024 }),
              targetNamespace: text(63),
              targetSecretName: text(253),
            },
            descriptions,
          ),
          { description: specDescription },
        ),
        status: optional(status),
      },
      subresources: { status: true },
      columns,
    },
  ],
});

export type ProviderServiceAccount = ObjectOf<typeof providerServiceAccount>;
