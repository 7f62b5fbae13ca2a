import { systemClock } from '@slipway/base';
import { InProcessClient } from '@slipway/plane';
import {
  ChangeExecutor,
  type ClusterRole,
  clusterRoleBindings,
  clusterRoles,
  namespaces,
  type PolicyRule,
  roles,
} from '@slipway/runtime';
import { type EmbeddedServer, startEmbeddedServer } from '@slipway/testing/plane';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vsphereLabels } from '../src/index.js';
import type { ProviderServiceAccount } from '../src/api/index.js';
import { ensureAccount } from '../src/supervisor/service-account/ensure-account.js';

const namespace = 'tenants';
const manager = { username: 'system:serviceaccount:capv-system:capv-manager', groups: ['system:authenticated'] };
const api = 'rbac.authorization.k8s.io/v1' as const;
const aggregated = { [vsphereLabels.aggregateToManager]: 'true' };

const clusterRole = (name: string, rules: PolicyRule[], more: object = {}): ClusterRole => ({
  apiVersion: api,
  kind: 'ClusterRole',
  metadata: { name, labels: aggregated },
  rules,
  ...more,
});

const account: ProviderServiceAccount = {
  apiVersion: 'vmware.infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'ProviderServiceAccount',
  metadata: { name: 'pvcsi', namespace, uid: '5b0f2a9e-0000-4000-8000-000000000001' },
  spec: {
    ref: { name: 'prod' },
    rules: [{ apiGroups: ['cns.vmware.com'], resources: ['cnsnodevmattachments'], verbs: ['get', 'create'] }],
    targetNamespace: 'vmware-system-csi',
    targetSecretName: 'pvcsi-token',
  },
};

describe('a manager with restricted permissions', () => {
  let embedded: EmbeddedServer;
  let admin: InProcessClient;
  beforeAll(async () => {
    embedded = await startEmbeddedServer();
    const { registry } = embedded.server;
    admin = new InProcessClient({ registry });
    await admin.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const own = { apiGroups: [''], resources: ['secrets', 'serviceaccounts'], verbs: ['*'] };
    const rbac = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'rolebindings'], verbs: ['*'] };
    const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
    await admin.create(
      clusterRoles,
      clusterRole('capv-manager-role', [
        { ...own, verbs },
        { ...rbac, verbs },
      ]),
    );
    await admin.create(
      clusterRoles,
      clusterRole('capv-aggregated-manager-role', [], {
        metadata: { name: 'capv-aggregated-manager-role' },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregated }] },
      }),
    );
    await admin.create(clusterRoleBindings, {
      apiVersion: api,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'capv-manager-rolebinding' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'capv-aggregated-manager-role' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: manager.username }],
    });
  });
  afterAll(() => embedded.stop());

  it('cannot grant permissions that it lacks, reports the remedy, and succeeds once an aggregated ClusterRole has them [vsphere 53]', async () => {
    const client = new InProcessClient({ registry: embedded.server.registry, user: manager });
    const writer = new ChangeExecutor({ client, clock: systemClock, controller: 'test' });
    const context = Object.assign(writer, { signal: new AbortController().signal });
    const attempt = (): Promise<string> =>
      ensureAccount(context, account, 'prod').then(
        () => 'made',
        (error: unknown) => String(error),
      );
    // Until its ClusterRole is aggregated, the manager does not even have permission to read.
    await expect.poll(attempt).toContain('attempting to grant RBAC permissions not currently held');
    expect(await attempt()).toContain(`a ClusterRole that has the label ${vsphereLabels.aggregateToManager}: "true"`);
    await expect(admin.get(roles, { namespace, name: 'pvcsi' })).rejects.toThrow('not found');
    await admin.create(clusterRoles, clusterRole('csi-rights', structuredClone(account.spec.rules)));
    await expect.poll(attempt).toBe('made');
    expect((await admin.get(roles, { namespace, name: 'pvcsi' })).rules).toEqual(account.spec.rules);
  });
});
