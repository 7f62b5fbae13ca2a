import { type Client, serviceAccounts } from '@slipway/runtime';
import type { LivePlane } from './live-plane.js';

const rbac = 'rbac.authorization.k8s.io';

/** Returns the token of a user who may read all Cluster API objects and change none. */
export async function viewerToken(plane: LivePlane): Promise<string> {
  const key = { namespace: 'default', name: 'viewer' };
  const groups = ['cluster.x-k8s.io', 'infrastructure.cluster.x-k8s.io', 'bootstrap.cluster.x-k8s.io'];
  const others = ['controlplane.cluster.x-k8s.io', 'addons.cluster.x-k8s.io', 'ipam.cluster.x-k8s.io'];
  const read = ['get', 'list', 'watch'];
  await plane.create(
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: key },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name: 'viewer' },
      rules: [
        { apiGroups: [...groups, ...others], resources: ['*'], verbs: read },
        { apiGroups: [''], resources: ['events', 'namespaces'], verbs: read },
        { apiGroups: [''], resources: ['secrets'], verbs: ['list'] },
        { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: read },
      ],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'viewer' },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'viewer' },
      subjects: [{ kind: 'ServiceAccount', ...key }],
    },
  );
  return tokenOf(plane.client, key);
}

/** Returns the token of a user who may only read the Clusters of one namespace. */
export async function guestToken(plane: LivePlane, namespace: string): Promise<string> {
  const key = { namespace, name: 'guest' };
  await plane.create(
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: key },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'Role',
      metadata: key,
      rules: [{ apiGroups: ['cluster.x-k8s.io'], resources: ['*'], verbs: ['get', 'list', 'watch'] }],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: key,
      roleRef: { apiGroup: rbac, kind: 'Role', name: 'guest' },
      subjects: [{ kind: 'ServiceAccount', ...key }],
    },
  );
  return tokenOf(plane.client, key);
}

export async function tokenOf(
  client: Client,
  key: { readonly namespace: string; readonly name: string },
): Promise<string> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, spec: {} };
  const answer = await client.createSubresource(serviceAccounts as never, key, 'token', body);
  return (answer as { status?: { token?: string } }).status?.token ?? '';
}
