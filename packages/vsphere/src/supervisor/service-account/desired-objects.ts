import { labels } from '@slipway/cluster-api';
import { cloneJson, type Frozen, type OwnerReference } from '@slipway/kube';
import { ownerReference, type Role, type RoleBinding, type Secret, type ServiceAccount } from '@slipway/runtime';
import type { ProviderServiceAccount } from '../../api/index.js';

const rbac = 'rbac.authorization.k8s.io';
const accountAnnotation = 'kubernetes.io/service-account.name';

/**
 * The objects that grant access to the Supervisor to a component of a workload cluster. They are in the namespace of the account.
 */
export interface AccountObjects {
  readonly serviceAccount: ServiceAccount;
  readonly tokenSecret: Secret;
  readonly role: Role;
  readonly roleBinding: RoleBinding;
}

function tokenSecretName(account: string): string {
  return `${account}-secret`;
}

export function desiredObjects(account: Frozen<ProviderServiceAccount>, clusterName: string): AccountObjects {
  const { namespace = '', name = '' } = account.metadata;
  const metadata = (objectName: string) => ({
    namespace,
    name: objectName,
    ownerReferences: [ownerReference(account, { controller: true })],
  });
  return {
    serviceAccount: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata(name) },
    tokenSecret: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        ...metadata(tokenSecretName(name)),
        annotations: { [accountAnnotation]: name },
        // Only Secrets with this label are watched.
        labels: { [labels.clusterName]: clusterName },
      },
      type: 'kubernetes.io/service-account-token',
    },
    role: {
      apiVersion: `${rbac}/v1`,
      kind: 'Role',
      metadata: metadata(name),
      rules: cloneJson(account.spec.rules) as NonNullable<Role['rules']>,
    },
    roleBinding: {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: metadata(name),
      roleRef: { apiGroup: rbac, kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', namespace, name }],
    },
  };
}

/** Returns owner references with the account as the controller, in place of any other controller. */
export function controlledBy(current: readonly OwnerReference[], desired: OwnerReference): OwnerReference[] {
  return [...current.filter(({ controller, uid }) => controller !== true && uid !== desired.uid), desired];
}
