import type { UserInfo } from '../../contract/index.js';
import type { RequestInfo } from '../request-info.js';

/** The parts of a FlowSchema that select requests. */
export interface FlowSchema {
  readonly metadata: { readonly name?: string; readonly uid?: string };
  readonly spec: {
    readonly priorityLevelConfiguration: { readonly name: string };
    readonly matchingPrecedence?: number;
    readonly distinguisherMethod?: { readonly type: string };
    readonly rules?: readonly PolicyRule[];
  };
}

export interface PolicyRule {
  readonly subjects?: readonly Subject[];
  readonly resourceRules?: readonly ResourceRule[];
  readonly nonResourceRules?: readonly NonResourceRule[];
}

export interface Subject {
  readonly kind: string;
  readonly user?: { readonly name: string };
  readonly group?: { readonly name: string };
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

interface ResourceRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly clusterScope?: boolean;
}

interface NonResourceRule {
  readonly verbs?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** The parts of a PriorityLevelConfiguration that limit requests. */
export interface PriorityLevel {
  readonly metadata: { readonly name?: string; readonly uid?: string };
  readonly spec: {
    readonly type: string;
    readonly limited?: {
      readonly nominalConcurrencyShares?: number;
      readonly lendablePercent?: number;
      readonly borrowingLimitPercent?: number;
      readonly limitResponse?: {
        readonly type: string;
        readonly queuing?: { readonly handSize?: number; readonly queueLengthLimit?: number };
      };
    };
  };
}

type Requested = Pick<RequestInfo, 'isResource' | 'verb' | 'group' | 'resource' | 'subresource' | 'namespace' | 'path'>;

/** Whether a FlowSchema selects a request: one of its rules names the user and the resource or path. */
export function matchesSchema({ spec }: FlowSchema, user: UserInfo, info: Requested): boolean {
  return (spec.rules ?? []).some(({ subjects = [], resourceRules = [], nonResourceRules = [] }) => {
    if (!subjects.some((subject) => matchesSubject(subject, user))) return false;
    if (info.isResource) return resourceRules.some((rule) => matchesResource(rule, info));
    return nonResourceRules.some((rule) => includes(rule.verbs, info.verb) && matchesPath(rule, info.path));
  });
}

function matchesSubject(subject: Subject, { username, groups }: UserInfo): boolean {
  switch (subject.kind) {
    case 'User':
      return subject.user?.name === '*' || subject.user?.name === username;
    case 'Group':
      return subject.group?.name === '*' || groups.includes(subject.group?.name ?? '');
    case 'ServiceAccount': {
      const { namespace = '', name = '' } = subject.serviceAccount ?? {};
      const prefix = `system:serviceaccount:${namespace}:`;
      return name === '*' ? username.startsWith(prefix) : username === prefix + name;
    }
    default:
      return false;
  }
}

function matchesResource(rule: ResourceRule, info: Requested): boolean {
  const resource = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
  if (!includes(rule.verbs, info.verb) || !includes(rule.resources, resource)) return false;
  if (!includes(rule.apiGroups, info.group)) return false;
  return info.namespace === '' ? rule.clusterScope === true : includes(rule.namespaces, info.namespace);
}

/** A URL that ends in `/*` selects all paths below it. */
function matchesPath({ nonResourceURLs = [] }: NonResourceRule, path: string): boolean {
  return nonResourceURLs.some(
    (url) => url === '*' || url === path || (url.endsWith('/*') && path.startsWith(url.slice(0, -1))),
  );
}

function includes(allowed: readonly string[] | undefined, value: string): boolean {
  return allowed?.some((one) => one === '*' || one === value) ?? false;
}
