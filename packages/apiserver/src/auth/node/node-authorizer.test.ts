import { expect, it } from 'vitest';
import type { KubeObject } from '@slipway/kube';
import { FakeStore } from '../memory-store-fake.js';
import { createNodeAuthorizer } from './node-authorizer.js';

const pod = (name: string, nodeName: string, spec: object, annotations = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', annotations },
  spec: { nodeName, ...spec },
});
const withSecret = (secretName: string): object => ({ volumes: [{ name: 's', secret: { secretName } }] });

const store = new FakeStore();
for (const object of [
  pod('one', 'a', { serviceAccountName: 'builder', ...withSecret('mine') }),
  pod('two', 'b', withSecret('theirs')),
  pod('three', 'a', withSecret('mirrored'), { 'kubernetes.io/config.mirror': 'x' }),
])
  store.put('pods', object);
const authorizer = createNodeAuthorizer(store);

interface Access {
  readonly verb: string;
  readonly resource: string;
  readonly name?: string;
  readonly group?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly requiredFields?: Readonly<Record<string, string>>;
}

const decide = (access: Access, username = 'system:node:a', groups = ['system:nodes']): boolean => {
  const { verb, ...resource } = access;
  const defaults = { group: '', version: 'v1', subresource: '', namespace: 'default', name: '' };
  return authorizer.authorize({ user: { username, groups }, verb, resource: { ...defaults, ...resource } }).allowed;
};

// Each row is compared with kube-apiserver, among others, by test/differential/node-authorizer.test.ts.
it.each<[boolean, Access]>([
  [true, { verb: 'get', resource: 'secrets', name: 'mine' }],
  [false, { verb: 'get', resource: 'secrets', name: 'theirs' }],
  [false, { verb: 'get', resource: 'secrets', name: 'mirrored' }],
  [false, { verb: 'list', resource: 'secrets' }],
  [false, { verb: 'update', resource: 'secrets', name: 'mine' }],
  [true, { verb: 'create', resource: 'serviceaccounts', subresource: 'token', name: 'builder' }],
  [false, { verb: 'create', resource: 'serviceaccounts', subresource: 'token', name: 'default' }],
  [true, { verb: 'list', resource: 'pods', requiredFields: { 'spec.nodeName': 'a' } }],
  [false, { verb: 'list', resource: 'pods', requiredFields: { 'spec.nodeName': 'b' } }],
  [false, { verb: 'list', resource: 'pods' }],
  [true, { verb: 'get', resource: 'nodes', name: 'a', namespace: '' }],
  [false, { verb: 'get', resource: 'nodes', name: 'b', namespace: '' }],
  [true, { verb: 'list', resource: 'services' }],
  [false, { verb: 'list', resource: 'deployments', group: 'apps' }],
])('returns %s to a kubelet for %j', (allowed, access) => {
  expect(decide(access)).toBe(allowed);
});

it('follows pods that are bound and deleted later', () => {
  const read = { verb: 'get', resource: 'secrets', name: 'late' };
  expect(decide(read)).toBe(false);
  store.put('pods', pod('four', 'a', withSecret('late')));
  expect(decide(read)).toBe(true);
  store.remove('pods', 'default', 'four');
  expect(decide(read)).toBe(false);
});

it('has no opinion about other users', () => {
  const read = { verb: 'get', resource: 'secrets', name: 'mine' };
  expect(decide(read, 'jane')).toBe(false);
  expect(decide(read, 'system:node:a', [])).toBe(false);
  expect(decide(read, 'system:node:')).toBe(false);
});
