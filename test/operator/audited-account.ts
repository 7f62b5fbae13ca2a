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

/** Flags by which kube-apiserver notes what accounts ask for. */
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

/** A request as the API server noted it. */
interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly objectRef?: Readonly<
    Partial<Record<'apiGroup' | 'resource' | 'subresource' | 'namespace' | 'name', string>>
  >;
  readonly responseStatus?: { readonly code?: number };
}

/** What they were not allowed to do so far, in the words of a role: a request is noted before it is answered. */
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

/** A kubeconfig by which a process is the account, as it would be in a pod of it. */
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

/** Of a role, as far as one is needed to tell whether it counts. */
interface RoleObject {
  readonly metadata: { readonly namespace?: string };
  readonly rules?: readonly Frozen<PolicyRule>[];
}

const patience = { timeout: 120_000, interval: 100 };

const reviews: Resource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
};

/**
 * Until the server goes by what was written: it learns of roles and bindings a moment later, and a request in between would be
 * judged by those from before. Nobody tells, so it is asked.
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
          patience,
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

/** Until the server knows kinds as owners, which it looks for every few seconds: before, it refuses objects that have such a one. */
export async function untilOwnersKnown(client: Client, namespace: string, kinds: readonly Resource[]): Promise<void> {
  for (const { group, version, kind } of kinds) {
    const apiVersion = `${group}/${version}`;
    const owner = { apiVersion, kind, name: 'owner', uid: 'owner', controller: true, blockOwnerDeletion: true };
    const metadata = { namespace, name: 'owned', ownerReferences: [owner] };
    const owned = { apiVersion: 'v1', kind: 'ConfigMap', metadata } as const;
    await vi.waitFor(() => client.create(configMaps, owned, { dryRun: true }), patience);
  }
}
