import { describe, expect, it } from 'vitest';
import type { AccessRequest, UserInfo } from '../contract/index.js';
import { evaluatePolicy, parseAuditPolicy } from './policy.js';

const policyOf = (rules: string, more = ''): ReturnType<typeof parseAuditPolicy> =>
  parseAuditPolicy(`apiVersion: audit.k8s.io/v1\nkind: Policy\n${more}rules:\n${rules}`);

const jane: UserInfo = { username: 'jane', groups: ['developers', 'system:authenticated'] };
type Access = Omit<AccessRequest, 'user'>;
const target = { group: '', version: 'v1', resource: 'secrets', subresource: '', namespace: 'shop', name: 'key' };
const onResource = (verb: string, changes: Partial<typeof target> = {}): Access => ({
  verb,
  resource: { ...target, ...changes },
});
const onPath = (path: string): Access => ({ verb: 'get', path });

const rows: readonly { name: string; rule: string; access: Access; matches: boolean }[] = [
  { name: 'a rule without conditions matches', rule: '{}', access: onResource('get'), matches: true },
  { name: 'users match by name', rule: '{users: [jane]}', access: onResource('get'), matches: true },
  { name: 'other users do not match', rule: '{users: [joe]}', access: onResource('get'), matches: false },
  { name: 'one of the groups matches', rule: '{userGroups: [developers]}', access: onResource('get'), matches: true },
  { name: 'other groups do not match', rule: '{userGroups: [admins]}', access: onResource('get'), matches: false },
  { name: 'verbs match', rule: '{verbs: [get, list]}', access: onResource('list'), matches: true },
  { name: 'other verbs do not match', rule: '{verbs: [get]}', access: onResource('list'), matches: false },
  { name: 'namespaces match', rule: '{namespaces: [shop]}', access: onResource('get'), matches: true },
  {
    name: 'the empty namespace matches cluster-scoped objects',
    rule: '{namespaces: [""]}',
    access: onResource('get', { namespace: '' }),
    matches: true,
  },
  { name: 'namespaces match no path', rule: '{namespaces: [shop]}', access: onPath('/healthz'), matches: false },
  { name: 'a group matches', rule: '{resources: [{group: ""}]}', access: onResource('get'), matches: true },
  {
    name: 'another group does not match',
    rule: '{resources: [{group: apps}]}',
    access: onResource('get'),
    matches: false,
  },
  {
    name: 'a resource does not match its subresource',
    rule: '{resources: [{group: "", resources: [pods]}]}',
    access: onResource('get', { resource: 'pods', subresource: 'log' }),
    matches: false,
  },
  {
    name: 'a resource with a subresource matches',
    rule: '{resources: [{group: "", resources: [pods/log]}]}',
    access: onResource('get', { resource: 'pods', subresource: 'log' }),
    matches: true,
  },
  {
    name: 'all subresources of a resource match',
    rule: '{resources: [{group: "", resources: ["pods/*"]}]}',
    access: onResource('get', { resource: 'pods', subresource: 'log' }),
    matches: true,
  },
  {
    name: 'a subresource of all resources matches',
    rule: '{resources: [{group: "", resources: ["*/status"]}]}',
    access: onResource('update', { subresource: 'status' }),
    matches: true,
  },
  {
    name: 'object names match',
    rule: '{resources: [{group: "", resources: [secrets], resourceNames: [key]}]}',
    access: onResource('get'),
    matches: true,
  },
  {
    name: 'other object names do not match',
    rule: '{resources: [{group: "", resources: [secrets], resourceNames: [other]}]}',
    access: onResource('get'),
    matches: false,
  },
  { name: 'a path matches', rule: '{nonResourceURLs: [/healthz]}', access: onPath('/healthz'), matches: true },
  {
    name: 'a path prefix matches',
    rule: '{nonResourceURLs: ["/healthz*"]}',
    access: onPath('/healthz/etcd'),
    matches: true,
  },
  { name: 'paths match no resource', rule: '{nonResourceURLs: ["*"]}', access: onResource('get'), matches: false },
];

describe('evaluatePolicy', () => {
  it.each(rows)('$name', ({ rule, access, matches }) => {
    const policy = policyOf(`- ${rule.replace('{', '{level: Request, ')}`);
    expect(evaluatePolicy(policy, jane, access).level).toBe(matches ? 'Request' : 'None');
  });

  it('applies the first matching rule and adds its stages to those of the policy', () => {
    const policy = policyOf(
      '- {level: Metadata, omitStages: [Panic], omitManagedFields: false}\n- {level: None}',
      'omitStages: [RequestReceived]\nomitManagedFields: true\n',
    );
    expect(evaluatePolicy(policy, jane, onResource('get'))).toEqual({
      level: 'Metadata',
      omitStages: new Set(['RequestReceived', 'Panic']),
      omitManagedFields: false,
    });
  });

  it('matches no rule with users for a request without a user', () => {
    expect(evaluatePolicy(policyOf('- {level: Request, users: [jane]}'), undefined, onResource('get')).level).toBe(
      'None',
    );
  });
});

describe('parseAuditPolicy', () => {
  const invalid: readonly (readonly [string, RegExp])[] = [
    ['kind: Policy\n', /must have apiVersion audit\.k8s\.io\/v1 and kind Policy/],
    ['apiVersion: audit.k8s.io/v1\nkind: Policy\n', /has no rules/],
    ['rules: [', /neither YAML nor JSON/],
  ];
  it.each(invalid)('rejects %j', (text, message) => {
    expect(() => parseAuditPolicy(text)).toThrow(message);
  });

  const wrongRules: readonly (readonly [string, string])[] = [
    ['{}', 'rules[0].level: Required value'],
    ['{level: Everything}', 'rules[0].level: Unsupported value: "Everything"'],
    ['{level: None, verb: [get]}', 'unknown field "rules[0].verb"'],
    ['{level: None, verbs: get}', 'rules[0].verbs must be a list of strings'],
    ['{level: None, omitStages: [Later]}', 'rules[0].omitStages: Invalid value: "Later"'],
    ['{level: None, nonResourceURLs: [healthz]}', "must begin with a '/' character"],
    ['{level: None, nonResourceURLs: ["/a*b"]}', "wildcards '*' must be the final character"],
    [
      '{level: None, nonResourceURLs: [/a], namespaces: [a]}',
      'cannot apply to both regular resources and non-resource',
    ],
    ['{level: None, resources: [{group: "", resourceNames: [a]}]}', 'requires at least one resource'],
  ];
  it.each(wrongRules)('rejects the rule %s', (rule, message) => {
    expect(() => policyOf(`- ${rule}`)).toThrow(message);
  });
});
