import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frozen } from '@slipway/kube';
import {
  type Client,
  configMaps,
  type HttpClient,
  type ObjectKey,
  type PolicyRule,
  type Resource,
  serviceAccounts,
} from '@slipway/runtime';
import { expect, vi } from 'vitest';
import type { RealKubeApiserver } from '../support/real-kube-apiserver.js';

/** Returns the audit flags of kube-apiserver. */
export function auditFlags(folder: string, accounts: readonly ObjectKey[]): Readonly<Record<string, string>> {
  const policy = join(folder, 'audit-policy.yaml');
  const users = accounts.map(({ namespace, name }) => `system:serviceaccount:${namespace}:${name}`);
  writeFileSync(
    policy,
    JSON.stringify({
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived', 'ResponseStarted'],
      rules: [{ level: 'Metadata', users }, { level: 'None' }],
    }),
  );
  return { 'audit-policy-file': policy, 'audit-log-path': auditLog(folder) };
}

function auditLog(folder: string): string {
  return join(folder, 'audit.log');
}

/** A request in the audit log. */
interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly objectRef?: Readonly<
    Partial<Record<'apiGroup' | 'resource' | 'subresource' | 'namespace' | 'name', string>>
  >;
  readonly responseStatus?: { readonly code?: number };
}

/** Returns the forbidden requests so far as RBAC rules. A request is logged before its response is sent. */
export function refusedRequests(folder: string): readonly string[] {
  const lines = readFileSync(auditLog(folder), 'utf8').split('\n').slice(0, -1);
  const refused = lines
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter(({ responseStatus }) => responseStatus?.code === 403);
  return [...new Set(refused.map(describe))];
}

function describe({ verb, requestURI, objectRef }: AuditEvent): string {
  if (objectRef === undefined) return `${verb} ${requestURI}`;
  const { apiGroup, resource = '', subresource, namespace = '', name = '' } = objectRef;
  const part = subresource === undefined ? resource : `${resource}/${subresource}`;
  return [verb, apiGroup === undefined ? part : `${part}.${apiGroup}`, `${namespace}/${name}`].join(' ');
}

/** Returns a kubeconfig that authenticates a process as the ServiceAccount, as in a Pod. */
export async function accountKubeconfig(
  client: HttpClient,
  { url, certificateAuthority }: RealKubeApiserver,
  account: ObjectKey,
): Promise<string> {
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 7200 } };
  const { status } = await client.createSubresource(serviceAccounts, account, 'token', request);
  const { token } = status as { readonly token: string };
  const { namespace, name } = account;
  const authority = Buffer.from(certificateAuthority).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: url, 'certificate-authority-data': authority } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
    'current-context': name,
  });
}

/** The part of a role that is needed to check whether it is in effect. */
interface RoleObject {
  readonly metadata: { readonly namespace?: string };
  readonly rules?: readonly Frozen<PolicyRule>[];
}

const polling = { timeout: 120_000, interval: 100 };

const reviews: Resource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
};

/**
 * Polls until written roles and bindings are in effect. The authorizer sees them after a delay, and would authorize earlier
 * requests with the old ones.
 */
export async function untilRolesCount(
  client: Client,
  account: ObjectKey,
  roles: readonly RoleObject[],
  isAllowed = true,
): Promise<void> {
  for (const { metadata, rules = [] } of roles)
    for (const rule of rules)
      if (rule.nonResourceURLs === undefined)
        await vi.waitFor(
          async () => expect(await mayDo(client, account, metadata.namespace ?? '', rule)).toBe(isAllowed),
          polling,
        );
}

async function mayDo(
  client: Client,
  account: ObjectKey,
  namespace: string,
  rule: Frozen<PolicyRule>,
): Promise<boolean> {
  const [resource = '', subresource = ''] = (rule.resources?.[0] ?? '').split('/');
  const [group = ''] = rule.apiGroups ?? [];
  const [name = ''] = rule.resourceNames ?? [];
  const answer = await client.create(reviews, {
    apiVersion: 'authorization.k8s.io/v1',
    kind: reviews.kind,
    metadata: {},
    spec: {
      user: `system:serviceaccount:${account.namespace}:${account.name}`,
      groups: ['system:serviceaccounts', 'system:authenticated'],
      resourceAttributes: { verb: rule.verbs[0] ?? '', group, resource, subresource, namespace, name },
    },
  });
  return (answer['status'] as { readonly allowed?: boolean } | undefined)?.allowed === true;
}

/**
 * Waits until the server recognizes kinds as owners, which it checks every few seconds. Until then it rejects such owner
 * references.
 */
export async function untilOwnersKnown(client: Client, namespace: string, kinds: readonly Resource[]): Promise<void> {
  for (const { group, version, kind } of kinds) {
    const apiVersion = `${group}/${version}`;
    const owner = { apiVersion, kind, name: 'owner', uid: 'owner', controller: true, blockOwnerDeletion: true };
    const metadata = { namespace, name: 'owned', ownerReferences: [owner] };
    const owned = { apiVersion: 'v1', kind: 'ConfigMap', metadata } as const;
    await vi.waitFor(() => client.create(configMaps, owned, { dryRun: true }), polling);
  }
}
