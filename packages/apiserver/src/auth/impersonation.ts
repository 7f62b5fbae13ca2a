import { badRequest, checkDns1123Subdomain, quoteGo, StatusError, unauthorized } from '@slipway/kube';
import type {
  AccessRequest,
  AuthenticationObserver,
  Authorizer,
  Credentials,
  ResourceAttributes,
  UserInfo,
} from '../contract/index.js';
import { forbiddenRequest } from './forbidden-request.js';
import { serviceAccountGroups, splitServiceAccountUsername } from './tokens/index.js';

type Headers = Credentials['headers'];

/** The user that the `Impersonate-*` headers name. */
interface RequestedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

const headerPrefix = 'impersonate-';
const extraHeaderPrefix = `${headerPrefix}extra-`;

/**
 * Returns the effective user: the requestor, or the user that the `Impersonate-*` headers name if the requestor may impersonate
 * it. Repeated headers must be passed as an array, because a group name may contain a comma. Without `request`, only the verb
 * `impersonate` is checked: the constrained verbs depend on the request.
 */
export function impersonate(
  authorizer: Authorizer,
  requestor: UserInfo,
  headers: Headers,
  request?: Omit<AccessRequest, 'user'>,
  observer?: Pick<AuthenticationObserver, 'impersonated'>,
): UserInfo {
  const requested = requestedUser(headers);
  if (requested === undefined) return requestor;
  const context: Context = { authorizer, requestor, request, requested };
  let first: StatusError | undefined;
  for (const mode of modes) {
    if (!mode.applies(context)) continue;
    try {
      demandOnRequest(context, mode);
      const user = checkUser(context, mode);
      observer?.impersonated(user, mode.constrained ? mode.verb : '');
      return user;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      // Modes are tried in order, the most constrained one first. Upstream reports the error of the first.
      first ??= error;
    }
  }
  throw first ?? unauthorized();
}

interface Context {
  readonly authorizer: Authorizer;
  readonly requestor: UserInfo;
  readonly request: Omit<AccessRequest, 'user'> | undefined;
  readonly requested: RequestedUser;
}

interface Mode {
  readonly name: string;
  readonly verb: string;
  /** Whether the mode also requires `impersonate-on:<mode>:<verb>` on the requested resource. */
  readonly constrained: boolean;
  applies(context: Context): boolean;
}

const modes: readonly Mode[] = [
  constrainedMode(
    'associated-node',
    ({ requested, requestor }) => onlyName(requested) && isOwnNode(requestor, requested.name),
  ),
  constrainedMode('arbitrary-node', ({ requested }) => onlyName(requested) && nodeNameOf(requested.name) !== undefined),
  constrainedMode(
    'serviceaccount',
    ({ requested }) => onlyName(requested) && splitServiceAccountUsername(requested.name) !== undefined,
  ),
  constrainedMode(
    'user-info',
    ({ requested }) =>
      nodeNameOf(requested.name) === undefined && splitServiceAccountUsername(requested.name) === undefined,
  ),
  { name: 'legacy', verb: 'impersonate', constrained: false, applies: () => true },
];

function constrainedMode(name: string, applies: (context: Context) => boolean): Mode {
  const known = (context: Context): boolean => context.request !== undefined && applies(context);
  return { name, verb: `impersonate:${name}`, constrained: true, applies: known };
}

function requestedUser(headers: Headers): RequestedUser | undefined {
  if (!mentionsImpersonation(headers)) return undefined;
  const extra = extraOf(headers);
  const requested: RequestedUser = {
    name: valuesOf(headers['impersonate-user'])[0] ?? '',
    uid: valuesOf(headers['impersonate-uid'])[0] ?? '',
    groups: valuesOf(headers['impersonate-group']),
    extra,
  };
  if (requested.name !== '') return requested;
  if (requested.uid === '' && requested.groups.length === 0 && extra.size === 0) return undefined;
  throw badRequest(`requested ${describe(requested)} without impersonating a user name`);
}

/**
 * Whether the request has impersonation headers. Compares only name prefixes, which is cheap: few requests impersonate.
 */
function mentionsImpersonation(headers: Headers): boolean {
  for (const name in headers) if (name.startsWith(headerPrefix)) return true;
  return false;
}

function valuesOf(header: string | readonly string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  return typeof header === 'string' ? [header] : header;
}

function extraOf(headers: Headers): Map<string, readonly string[]> {
  const extra = new Map<string, readonly string[]>();
  const names = Object.keys(headers).filter((name) => name.startsWith(extraHeaderPrefix));
  for (const name of names.sort()) {
    const values = valuesOf(headers[name]);
    if (values.length === 0) continue;
    const key = unescapeKey(name.slice(extraHeaderPrefix.length).toLowerCase());
    extra.set(key, [...(extra.get(key) ?? []), ...values]);
  }
  return extra;
}

function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** Prints the user as Go prints the struct, because clients see this text. */
function describe(requested: RequestedUser): string {
  const groups = requested.groups.length === 0 ? '(nil)' : goList(requested.groups);
  const entries = [...requested.extra].map(([key, values]) => `${quoteGo(key)}:[]string${goList(values)}`);
  const extra = entries.length === 0 ? '(nil)' : `{${entries.join(', ')}}`;
  return `&user.DefaultInfo{Name:"", UID:${quoteGo(requested.uid)}, Groups:[]string${groups}, Extra:map[string][]string${extra}}`;
}

function goList(values: readonly string[]): string {
  return `{${values.map(quoteGo).join(', ')}}`;
}

function demandOnRequest({ request, ...context }: Context, mode: Mode): void {
  if (!mode.constrained || request === undefined) return;
  const verb = `impersonate-on:${mode.name}:${request.verb}`;
  demand({ ...context, request }, { ...request, verb, user: context.requestor });
}

function checkUser(context: Context, mode: Mode): UserInfo {
  const { requested } = context;
  const implied = checkName(context, mode);
  if (requested.uid !== '') demandOn(context, mode, { group: authentication, resource: 'uids', name: requested.uid });
  checkGroups(context, mode);
  checkExtra(context, mode);
  const user: UserInfo = {
    username: requested.name,
    groups: withStandardGroup(requested.name, implied ?? requested.groups),
  };
  return {
    ...user,
    ...(requested.uid === '' ? {} : { uid: requested.uid }),
    ...(requested.extra.size === 0 ? {} : { extra: Object.fromEntries(requested.extra) }),
  };
}

const authentication = 'authentication.k8s.io';

/** Authorizes the requested user name. Returns the groups that the name implies if the request has no group headers. */
function checkName(context: Context, mode: Mode): readonly string[] | undefined {
  const { requested } = context;
  const group = mode.constrained ? authentication : '';
  const node = mode.constrained ? nodeNameOf(requested.name) : undefined;
  if (node !== undefined) {
    // Permission to impersonate the associated node is granted with the name `*`, not per node name.
    const name = mode.name === 'associated-node' ? '*' : node;
    demandOn(context, mode, { group, resource: 'nodes', name });
    return ['system:nodes'];
  }
  const account = splitServiceAccountUsername(requested.name);
  if (account === undefined) {
    demandOn(context, mode, { group, resource: 'users', name: requested.name });
    return undefined;
  }
  demandOn(context, mode, { group, resource: 'serviceaccounts', name: account.name, namespace: account.namespace });
  return requested.groups.length === 0 ? serviceAccountGroups(account.namespace) : undefined;
}

/** With this many values or more, permission on `*` is checked before permission on each value. */
const manyChecks = 4;

function checkGroups(context: Context, mode: Mode): void {
  const { groups } = context.requested;
  const target = { group: mode.constrained ? authentication : '', resource: 'groups' };
  if (mode.constrained) {
    if (groups.includes(''))
      refuse(context, mode, { ...target, name: '' }, 'impersonating the empty string group is not allowed');
    if (groups.includes('system:masters'))
      refuse(
        context,
        mode,
        { ...target, name: 'system:masters' },
        'impersonating the system:masters group is not allowed',
      );
    if (groups.length >= manyChecks && isAllowed(context, mode, { ...target, name: '*' })) return;
  }
  for (const name of groups) demandOn(context, mode, { ...target, name });
}

const extraKeyPattern = /^[a-z0-9.-]{1,253}\/[^/%]{1,253}(\/[^/%]{1,253}){0,16}$/;

function checkExtra(context: Context, mode: Mode): void {
  const { extra } = context.requested;
  if (extra.size === 0) return;
  const target = { group: authentication, resource: 'userextras' };
  if (mode.constrained) {
    const problem = extraProblem(extra);
    if (problem !== undefined) refuse(context, mode, { ...target, name: '' }, problem);
    const checks = [...extra.values()].reduce((sum, values) => sum + values.length, 0);
    if (checks >= manyChecks && isAllowed(context, mode, { ...target, subresource: '*', name: '*' })) return;
  }
  for (const [subresource, values] of extra)
    for (const name of values) demandOn(context, mode, { ...target, subresource, name });
}

function extraProblem(extra: ReadonlyMap<string, readonly string[]>): string | undefined {
  for (const [key, values] of extra) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    if (!extraKeyPattern.test(key))
      return `impersonating an invalid key in extra is not allowed: extra.key: Invalid value: ${quoteGo(key)}: must be a domain-prefixed path (such as "acme.io/foo")`;
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}

interface Target {
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name: string;
}

function requestFor(context: Context, mode: Mode, target: Target): AccessRequest {
  const resource: ResourceAttributes = { version: 'v1', subresource: '', namespace: '', ...target };
  return { user: context.requestor, verb: mode.verb, resource };
}

function isAllowed(context: Context, mode: Mode, target: Target): boolean {
  return context.authorizer.authorize(requestFor(context, mode, target)).allowed;
}

function demandOn(context: Context, mode: Mode, target: Target): void {
  demand(context, requestFor(context, mode, target));
}

function demand(context: Context, request: AccessRequest): void {
  const decision = context.authorizer.authorize(request);
  if (!decision.allowed) throw forbiddenRequest(request, decision.reason);
}

function refuse(context: Context, mode: Mode, target: Target, why: string): never {
  throw forbiddenRequest(requestFor(context, mode, target), why);
}

function withStandardGroup(username: string, groups: readonly string[]): readonly string[] {
  const standard = username === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated';
  if (groups.includes(standard) || groups.includes('system:unauthenticated')) return groups;
  return [...groups, standard];
}

function onlyName(requested: RequestedUser): boolean {
  return requested.uid === '' && requested.groups.length === 0 && requested.extra.size === 0;
}

const nodePrefix = 'system:node:';

function nodeNameOf(username: string): string | undefined {
  if (!username.startsWith(nodePrefix)) return undefined;
  const name = username.slice(nodePrefix.length);
  return checkDns1123Subdomain(name).length === 0 ? name : undefined;
}

/** Whether the requestor is a service account whose token is bound to a pod on the node that `username` names. */
function isOwnNode(requestor: UserInfo, username: string): boolean {
  const node = nodeNameOf(username);
  if (node === undefined || splitServiceAccountUsername(requestor.username) === undefined) return false;
  const [only, ...rest] = requestor.extra?.['authentication.kubernetes.io/node-name'] ?? [];
  return only === node && rest.length === 0;
}
