import {
  checkDns1123Subdomain,
  type FieldError,
  formatFieldError,
  invalidField,
  isFields,
  itemsOf,
  notSupported,
  parseYamlValue,
  quoteGo,
  requiredField,
  textAt,
  textsAt,
} from '@slipway/kube';
import type { AccessRequest, UserInfo } from '../contract/index.js';

export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof auditLevels)[number];

const auditStages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type AuditStage = (typeof auditStages)[number];

interface GroupResources {
  readonly group: string;
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

interface AuditRule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean | undefined;
}

/** A parsed audit.k8s.io/v1 Policy. */
export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

export class AuditPolicyError extends Error {
  override readonly name = 'AuditPolicyError';
}

/** What the policy requires for one request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

const apiVersion = 'audit.k8s.io/v1';
const policyFields = ['apiVersion', 'kind', 'metadata', 'rules', 'omitStages', 'omitManagedFields'];
const ruleFields = [
  'level',
  'users',
  'userGroups',
  'verbs',
  'resources',
  'namespaces',
  'nonResourceURLs',
  'omitStages',
  'omitManagedFields',
];
const ruleLists = ['users', 'userGroups', 'verbs', 'namespaces', 'nonResourceURLs', 'omitStages'];
const resourceFields = ['group', 'resources', 'resourceNames'];

/** Parses and validates an audit policy in YAML or JSON. Throws AuditPolicyError with every problem. */
export function parseAuditPolicy(text: string): AuditPolicy {
  const root = readRoot(text);
  const problems = [...unknownFields(root, policyFields, ''), ...typeProblems(root, ['omitStages'], '')];
  const rules = listOfFields(root['rules'], 'rules');
  if (rules.length === 0) throw new AuditPolicyError('the audit policy has no rules');
  const errors = [
    ...stageErrors(textsAt(root, 'omitStages'), 'omitStages'),
    ...rules.flatMap((rule, index) => {
      problems.push(...unknownFields(rule, ruleFields, `rules[${index}].`));
      return ruleErrors(rule, `rules[${index}]`, problems);
    }),
  ];
  problems.push(...errors.map(formatFieldError));
  if (problems.length > 0) throw new AuditPolicyError(`the audit policy is invalid: ${problems.join('; ')}`);
  return {
    rules: rules.map(toRule),
    omitStages: textsAt(root, 'omitStages') as AuditStage[],
    omitManagedFields: root['omitManagedFields'] === true,
  };
}

type Fields = Readonly<Record<string, unknown>>;

function readRoot(text: string): Fields {
  let root: unknown;
  try {
    root = parseYamlValue(text);
  } catch (error) {
    throw new AuditPolicyError(`the audit policy is neither YAML nor JSON: ${(error as Error).message}`);
  }
  if (!isFields(root)) throw new AuditPolicyError('the audit policy is empty or not a mapping');
  if (root['kind'] !== 'Policy' || root['apiVersion'] !== apiVersion)
    throw new AuditPolicyError(
      `the audit policy must have apiVersion ${apiVersion} and kind Policy, not ` +
        `${quoteGo(textAt(root, 'apiVersion'))} and ${quoteGo(textAt(root, 'kind'))}`,
    );
  return root;
}

function unknownFields(value: Fields, known: readonly string[], prefix: string): string[] {
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => `unknown field "${prefix}${name}"`);
}

function typeProblems(value: Fields, lists: readonly string[], prefix: string): string[] {
  const isWrong = (list: unknown): boolean =>
    list !== undefined && list !== null && !(Array.isArray(list) && list.every((item) => typeof item === 'string'));
  const wrong = lists
    .filter((name) => isWrong(value[name]))
    .map((name) => `${prefix}${name} must be a list of strings`);
  const omit = value['omitManagedFields'];
  if (omit !== undefined && omit !== null && typeof omit !== 'boolean')
    wrong.push(`${prefix}omitManagedFields must be true or false`);
  return wrong;
}

function listOfFields(value: unknown, path: string): readonly Fields[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every(isFields)) return value;
  throw new AuditPolicyError(`the audit policy is invalid: ${path} must be a list of objects`);
}

function stageErrors(stages: readonly string[], path: string): FieldError[] {
  return stages
    .filter((stage) => !(auditStages as readonly string[]).includes(stage))
    .map((stage) => invalidField(path, stage, `allowed stages are ${auditStages.join(',')}`));
}

function ruleErrors(rule: Fields, path: string, problems: string[]): FieldError[] {
  const errors: FieldError[] = [];
  const level = rule['level'] ?? '';
  if (level === '') errors.push(requiredField(`${path}.level`));
  else if (!(auditLevels as readonly unknown[]).includes(level))
    errors.push(notSupported(`${path}.level`, level, auditLevels));
  const urls = textsAt(rule, 'nonResourceURLs');
  const resources = listOfFields(rule['resources'], `${path}.resources`);
  problems.push(...typeProblems(rule, ruleLists, `${path}.`));
  if (urls.length > 0 && (resources.length > 0 || textsAt(rule, 'namespaces').length > 0))
    errors.push(
      invalidField(
        `${path}.nonResourceURLs`,
        urls,
        'rules cannot apply to both regular resources and non-resource URLs',
      ),
    );
  for (const [index, url] of urls.entries()) errors.push(...urlErrors(url, `${path}.nonResourceURLs[${index}]`));
  for (const [index, resource] of resources.entries()) {
    const at = `${path}.resources[${index}]`;
    problems.push(...unknownFields(resource, resourceFields, `${at}.`));
    problems.push(...typeProblems(resource, ['resources', 'resourceNames'], `${at}.`));
    errors.push(...resourceErrors(resource, at));
  }
  errors.push(...stageErrors(textsAt(rule, 'omitStages'), `${path}.omitStages`));
  return errors;
}

function urlErrors(url: string, path: string): FieldError[] {
  if (url === '*') return [];
  const errors: FieldError[] = [];
  if (!url.startsWith('/'))
    errors.push(invalidField(path, url, "non-resource URL rules must begin with a '/' character"));
  if (url.slice(0, -1).includes('*'))
    errors.push(invalidField(path, url, "non-resource URL wildcards '*' must be the final character of the rule"));
  return errors;
}

function resourceErrors(resource: Fields, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const group = textAt(resource, 'group');
  if (group !== '')
    for (const problem of checkDns1123Subdomain(group)) errors.push(invalidField(`${path}.group`, group, problem));
  const names = textsAt(resource, 'resourceNames');
  if (names.length > 0 && textsAt(resource, 'resources').length === 0)
    errors.push(invalidField(`${path}.resourceNames`, names, 'using resourceNames requires at least one resource'));
  return errors;
}

function toRule(rule: Fields): AuditRule {
  const omit = rule['omitManagedFields'];
  return {
    level: rule['level'] as AuditLevel,
    users: textsAt(rule, 'users'),
    userGroups: textsAt(rule, 'userGroups'),
    verbs: textsAt(rule, 'verbs'),
    resources: itemsOf(rule['resources']).map((resource) => ({
      group: textAt(resource, 'group'),
      resources: textsAt(resource, 'resources'),
      resourceNames: textsAt(resource, 'resourceNames'),
    })),
    namespaces: textsAt(rule, 'namespaces'),
    nonResourceURLs: textsAt(rule, 'nonResourceURLs'),
    omitStages: textsAt(rule, 'omitStages') as AuditStage[],
    omitManagedFields: typeof omit === 'boolean' ? omit : undefined,
  };
}

/** Applies the first rule that matches. Without a match the request is not audited. */
export function evaluatePolicy(
  policy: AuditPolicy,
  user: UserInfo | undefined,
  access: Omit<AccessRequest, 'user'>,
): AuditDecision {
  const rule = policy.rules.find((candidate) => matches(candidate, user, access));
  if (rule === undefined)
    return { level: 'None', omitStages: new Set(policy.omitStages), omitManagedFields: policy.omitManagedFields };
  return {
    level: rule.level,
    omitStages: new Set([...policy.omitStages, ...rule.omitStages]),
    omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields,
  };
}

function matches(rule: AuditRule, user: UserInfo | undefined, access: Omit<AccessRequest, 'user'>): boolean {
  if (rule.users.length > 0 && (user === undefined || !rule.users.includes(user.username))) return false;
  if (rule.userGroups.length > 0 && !(user?.groups ?? []).some((group) => rule.userGroups.includes(group)))
    return false;
  if (rule.verbs.length > 0 && !rule.verbs.includes(access.verb)) return false;
  if (rule.namespaces.length > 0 || rule.resources.length > 0) return matchesResource(rule, access);
  if (rule.nonResourceURLs.length > 0)
    return access.path !== undefined && rule.nonResourceURLs.some((url) => matchesPath(access.path ?? '', url));
  return true;
}

function matchesResource(rule: AuditRule, { resource: target }: Omit<AccessRequest, 'user'>): boolean {
  if (target === undefined) return false;
  if (rule.namespaces.length > 0 && !rule.namespaces.includes(target.namespace)) return false;
  if (rule.resources.length === 0) return true;
  return rule.resources.some(({ group, resources, resourceNames }) => {
    if (group !== target.group) return false;
    if (resources.length === 0) return true;
    if (resourceNames.length > 0 && !resourceNames.includes(target.name)) return false;
    return resources.some((name) => matchesName(name, target.resource, target.subresource));
  });
}

/** Compares with `*`, `pods`, `pods/log`, `pods/*` or a subresource of any resource. `pods` does not include its subresources. */
function matchesName(pattern: string, resource: string, subresource: string): boolean {
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  if (pattern === '*' || pattern === whole) return true;
  if (subresource !== '' && pattern === `*/${subresource}`) return true;
  return pattern === `${resource}/*`;
}

function matchesPath(path: string, pattern: string): boolean {
  if (pattern === '*' || pattern === path) return true;
  return pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, ''));
}
