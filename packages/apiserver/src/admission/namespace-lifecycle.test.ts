import type { Frozen, KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import type { AdmissionRequest, Operation, StoredObject } from '../contract/index.js';
import { AdmissionChain } from './admission-chain.js';
import { createNamespaceLifecycle } from './namespace-lifecycle.js';

const namespaces: Readonly<Record<string, Frozen<KubeObject>['metadata']>> = {
  active: { name: 'active' },
  ending: { name: 'ending', deletionTimestamp: '2026-01-01T00:00:00Z' },
};

const store = {
  get({ name }: { readonly name: string }): StoredObject | undefined {
    const metadata = Object.hasOwn(namespaces, name) ? namespaces[name] : undefined;
    return metadata === undefined ? undefined : ({ object: { metadata } } as unknown as StoredObject);
  },
};

function request(operation: Operation, path: string): AdmissionRequest {
  const [group = '', resource = '', namespace = '', name = ''] = path.split('/');
  return {
    operation,
    user: { username: 'u', groups: [] },
    kind: { group, version: 'v1', kind: 'Kind' },
    resource: { group, version: 'v1', resource },
    subresource: '',
    namespace,
    name,
    object: undefined,
    oldObject: undefined,
    dryRun: false,
    options: {},
    warn: () => undefined,
    signal: new AbortController().signal,
  };
}

describe('NamespaceLifecycle', () => {
  it.each<[Operation, string, string]>([
    ['CREATE', '/configmaps/active/x', ''],
    ['CREATE', '/configmaps/missing/x', 'namespaces "missing" not found'],
    ['UPDATE', '/configmaps/missing/x', 'namespaces "missing" not found'],
    [
      'CREATE',
      'apps/deployments/ending/x',
      'deployments.apps "x" is forbidden: unable to create new content in namespace ending because it is being terminated',
    ],
    ['UPDATE', '/configmaps/ending/x', ''],
    ['DELETE', '/configmaps/ending/x', ''],
    ['DELETE', '/configmaps/missing/x', ''],
    ['CREATE', 'authorization.k8s.io/localsubjectaccessreviews/missing/', ''],
    ['CREATE', '/namespaces//new', ''],
    ['CREATE', 'rbac.authorization.k8s.io/clusterroles//x', ''],
    ['DELETE', '/namespaces//kube-system', 'namespaces "kube-system" is forbidden: this namespace may not be deleted'],
    ['DELETE', '/namespaces//kube-node-lease', ''],
    ['DELETE', 'example.com/namespaces//default', ''],
  ])('%s %s: %s', async (operation, path, message) => {
    const chain = new AdmissionChain();
    chain.add(createNamespaceLifecycle(store));
    const outcome = await chain.mutate(request(operation, path)).then(
      () => '',
      (error: unknown) => (error as Error).message,
    );
    expect(outcome).toBe(message);
  });

  it('does not mutate, so that objects need not be normalised again', () => {
    const chain = new AdmissionChain();
    chain.add(createNamespaceLifecycle(store));
    expect(chain.mutates(request('CREATE', '/configmaps/active/x'))).toBe(false);
  });
});

describe('AdmissionChain', () => {
  it('notifies matching plugins of writes that were not committed', () => {
    const released: string[] = [];
    const chain = new AdmissionChain();
    chain.add({ name: 'mine', handles: () => true, release: ({ name }) => void released.push(name) });
    chain.add({ name: 'other', handles: () => false, release: () => void released.push('never') });
    chain.release(request('CREATE', '/configmaps/active/x'));
    expect(released).toEqual(['x']);
  });
});
