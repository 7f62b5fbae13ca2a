import { StatusError } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import type { AccessRequest, Authorizer, UserInfo } from '../contract/index.js';
import { impersonate } from './impersonation.js';

const requestor: UserInfo = { username: 'boss', groups: ['system:authenticated'] };
const list: Omit<AccessRequest, 'user'> = {
  verb: 'list',
  resource: { group: '', version: 'v1', resource: 'pods', subresource: '', namespace: '', name: '' },
};

/** Returns an authorizer that allows the listed access only. Each entry has the form `verb resource[/sub] [namespace/]name`. */
function allowing(...allowed: string[]): Authorizer {
  return {
    authorize({ verb, resource }) {
      if (resource === undefined) return { allowed: false, reason: '' };
      const path = resource.subresource === '' ? resource.resource : `${resource.resource}/${resource.subresource}`;
      const name = resource.namespace === '' ? resource.name : `${resource.namespace}/${resource.name}`;
      const text = `${verb} ${path} ${name}`.trim();
      return { allowed: allowed.includes('*') || allowed.includes(text), reason: '' };
    },
  };
}

function impersonateAs(
  authorizer: Authorizer,
  headers: Record<string, string | string[]>,
  as: UserInfo = requestor,
): UserInfo | string {
  try {
    return impersonate(authorizer, as, headers, list);
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
}

describe('impersonation', () => {
  it('does not change the user without headers', () => expect(impersonateAs(allowing(), {})).toBe(requestor));

  it.each<[string, Record<string, string | string[]>, string]>([
    [
      'groups',
      { 'impersonate-group': ['a', 'b'] },
      '&user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a", "b"}, Extra:map[string][]string(nil)}',
    ],
    [
      'a uid',
      { 'impersonate-uid': '7' },
      '&user.DefaultInfo{Name:"", UID:"7", Groups:[]string(nil), Extra:map[string][]string(nil)}',
    ],
    [
      'extra',
      { 'impersonate-extra-scopes': 'x' },
      '&user.DefaultInfo{Name:"", UID:"", Groups:[]string(nil), Extra:map[string][]string{"scopes":[]string{"x"}}}',
    ],
  ])('rejects %s without a user as a bad request', (_name, headers, text) => {
    expect(impersonateAs(allowing('*'), headers)).toBe(`400 requested ${text} without impersonating a user name`);
  });

  it('checks user, groups, uid and extra separately', () => {
    const headers = {
      'impersonate-user': 'jane',
      'impersonate-group': ['dev', 'a,b'],
      'impersonate-uid': '7',
      'impersonate-extra-acme.com%2fproject': ['one', 'two'],
    };
    const rights = [
      'impersonate users jane',
      'impersonate groups dev',
      'impersonate groups a,b',
      'impersonate uids 7',
      'impersonate userextras/acme.com/project one',
      'impersonate userextras/acme.com/project two',
    ];
    expect(impersonateAs(allowing(...rights), headers)).toEqual({
      username: 'jane',
      uid: '7',
      groups: ['dev', 'a,b', 'system:authenticated'],
      extra: { 'acme.com/project': ['one', 'two'] },
    });
    for (const missing of rights)
      expect(impersonateAs(allowing(...rights.filter((right) => right !== missing)), headers)).toMatch(/^403 /);
  });

  it('adds the groups of a service account unless group headers are set', () => {
    const authorizer = allowing('impersonate serviceaccounts ci/robot', 'impersonate groups g');
    const user = { 'impersonate-user': 'system:serviceaccount:ci:robot' };
    expect(impersonateAs(authorizer, user)).toEqual({
      username: 'system:serviceaccount:ci:robot',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ci', 'system:authenticated'],
    });
    expect(impersonateAs(authorizer, { ...user, 'impersonate-group': 'g' })).toMatchObject({
      groups: ['g', 'system:authenticated'],
    });
  });

  it('returns the anonymous user as unauthenticated', () => {
    const headers = { 'impersonate-user': 'system:anonymous' };
    expect(impersonateAs(allowing('impersonate users system:anonymous'), headers)).toEqual({
      username: 'system:anonymous',
      groups: ['system:unauthenticated'],
    });
  });

  it('reports the most constrained mode that was tried if it is denied', () => {
    expect(impersonateAs(allowing(), { 'impersonate-user': 'jane' })).toBe(
      '403 pods is forbidden: User "boss" cannot impersonate-on:user-info:list resource "pods" in API group "" at the cluster scope',
    );
    expect(impersonateAs(allowing('impersonate-on:user-info:list pods'), { 'impersonate-user': 'jane' })).toBe(
      '403 users.authentication.k8s.io "jane" is forbidden: User "boss" cannot impersonate:user-info resource "users" in API group "authentication.k8s.io" at the cluster scope',
    );
    expect(impersonateAs(allowing(), { 'impersonate-user': 'system:node:n1' })).toBe(
      '403 pods is forbidden: User "boss" cannot impersonate-on:arbitrary-node:list resource "pods" in API group "" at the cluster scope',
    );
  });

  it('also requires permission on the requested resource in a constrained mode, and never grants system:masters', () => {
    const rights = [
      'impersonate-on:user-info:list pods',
      'impersonate:user-info users jane',
      'impersonate:user-info groups system:masters',
    ];
    expect(impersonateAs(allowing(...rights), { 'impersonate-user': 'jane' })).toEqual({
      username: 'jane',
      groups: ['system:authenticated'],
    });
    expect(
      impersonateAs(allowing(...rights), { 'impersonate-user': 'jane', 'impersonate-group': 'system:masters' }),
    ).toBe(
      '403 groups.authentication.k8s.io "system:masters" is forbidden: User "boss" cannot impersonate:user-info resource "groups" in API group "authentication.k8s.io" at the cluster scope: impersonating the system:masters group is not allowed',
    );
  });

  it('impersonates a node by name, or the node of the requestor', () => {
    const headers = { 'impersonate-user': 'system:node:n1' };
    const node = { username: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] };
    expect(
      impersonateAs(
        allowing('impersonate-on:arbitrary-node:list pods', 'impersonate:arbitrary-node nodes n1'),
        headers,
      ),
    ).toEqual(node);
    const own = allowing('impersonate-on:associated-node:list pods', 'impersonate:associated-node nodes *');
    const agent: UserInfo = {
      username: 'system:serviceaccount:kube-system:agent',
      groups: [],
      extra: { 'authentication.kubernetes.io/node-name': ['n1'] },
    };
    expect(impersonateAs(own, headers, agent)).toEqual(node);
    expect(impersonateAs(own, { 'impersonate-user': 'system:node:n2' }, agent)).toMatch(/^403 /);
  });

  it('accepts only the verb impersonate without request attributes', () => {
    const headers = { 'impersonate-user': 'jane' };
    const constrained = allowing('impersonate-on:user-info:list pods', 'impersonate:user-info users jane');
    expect(() => impersonate(constrained, requestor, headers)).toThrow(
      'users "jane" is forbidden: User "boss" cannot impersonate resource "users" in API group "" at the cluster scope',
    );
    expect(impersonate(allowing('impersonate users jane'), requestor, headers).username).toBe('jane');
  });

  it('ignores empty and unrelated headers', () => {
    expect(impersonateAs(allowing('*'), { 'impersonate-user': '', 'impersonate-users': 'x' })).toBe(requestor);
  });
});
