import { badRequest, checkDns1123Subdomain, quoteGo, StatusError, unauthorized } from '@slipway/kube';
import type { AccessRequest, Authorizer, Credentials, ResourceAttributes, UserInfo } from '../contract/index.js';
import { forbiddenRequest } from './forbidden-request.js';
import { serviceAccountGroups, splitServiceAccountUsername } from './tokens/index.js';

type Headers = Credentials['headers'];

/** Who the headers ask to be. */
interface WantedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

const headerPrefix = 'impersonate-';
const extraHeaderPrefix = `${headerPrefix}extra-`;

/**
 * The user to act as: the requestor, or whom the `Impersonate-*` headers name if the requestor may. A header that stands
 * several times must come as an array: a group's name may contain a comma. Without `request` only the unconstrained verb
 * `impersonate` counts, because the constrained ones depend on what the request is about.
 */
export function impersonate(
  authorizer: Authorizer,
  requestor: UserInfo,
  headers: Headers,
  request?: Omit<AccessRequest, 'user'>,
): UserInfo {
  const wanted = wantedUser(headers);
  if (wanted === undefined) return requestor;
  const context: Context = { authorizer, requestor, request, wanted };
  let first: StatusError | undefined;
  for (const mode of modes) {
    if (!mode.applies(context)) continue;
    try {
      demandOnRequest(context, mode);
      return checkUser(context, mode);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      // Upstream reports the narrowest way that was tried, not the oldest.
      first ??= error;
    }
  }
  throw first ?? unauthorized();
}

interface Context {
  readonly authorizer: Authorizer;
  readonly requestor: UserInfo;
  readonly request: Omit<AccessRequest, 'user'> | undefined;
  readonly wanted: WantedUser;
}

interface Mode {
  readonly name: string;
  readonly verb: string;
  /** Constrained modes also need `impersonate-on:<mode>:<verb>` on the thing the request is about. */
  readonly constrained: boolean;
  applies(context: Context): boolean;
}

const modes: readonly Mode[] = [
  constrainedMode('associated-node', ({ wanted, requestor }) => onlyName(wanted) && isOwnNode(requestor, wanted.name)),
  constrainedMode('arbitrary-node', ({ wanted }) => onlyName(wanted) && nodeNameOf(wanted.name) !== undefined),
  constrainedMode(
    'serviceaccount',
    ({ wanted }) => onlyName(wanted) && splitServiceAccountUsername(wanted.name) !== undefined,
  ),
  constrainedMode(
    'user-info',
    ({ wanted }) => nodeNameOf(wanted.name) === undefined && splitServiceAccountUsername(wanted.name) === undefined,
  ),
  { name: 'legacy', verb: 'impersonate', constrained: false, applies: () => true },
];

function constrainedMode(name: string, applies: (context: Context) => boolean): Mode {
  const known = (context: Context): boolean => context.request !== undefined && applies(context);
  return { name, verb: `impersonate:${name}`, constrained: true, applies: known };
}

function wantedUser(headers: Headers): WantedUser | undefined {
  if (!mentionsImpersonation(headers)) return undefined;
  const extra = extraOf(headers);
  const wanted: WantedUser = {
    name: valuesOf(headers['impersonate-user'])[0] ?? '',
    uid: valuesOf(headers['impersonate-uid'])[0] ?? '',
    groups: valuesOf(headers['impersonate-group']),
    extra,
  };
  if (wanted.name !== '') return wanted;
  if (wanted.uid === '' && wanted.groups.length === 0 && extra.size === 0) return undefined;
  throw badRequest(`requested ${describe(wanted)} without impersonating a user name`);
}

/** Nearly no request does; a look at the first letters of its headers is all that it pays. */
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

/** As Go prints the structure, because that is the text clients see. */
function describe(wanted: WantedUser): string {
  const groups = wanted.groups.length === 0 ? '(nil)' : goList(wanted.groups);
  const entries = [...wanted.extra].map(([key, values]) => `${quoteGo(key)}:[]string${goList(values)}`);
  const extra = entries.length === 0 ? '(nil)' : `{${entries.join(', ')}}`;
  return `&user.DefaultInfo{Name:"", UID:${quoteGo(wanted.uid)}, Groups:[]string${groups}, Extra:map[string][]string${extra}}`;
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
  const { wanted } = context;
  const implied = checkName(context, mode);
  if (wanted.uid !== '') demandOn(context, mode, { group: authentication, resource: 'uids', name: wanted.uid });
  checkGroups(context, mode);
  checkExtra(context, mode);
  const user: UserInfo = { username: wanted.name, groups: withStandardGroup(wanted.name, implied ?? wanted.groups) };
  return {
    ...user,
    ...(wanted.uid === '' ? {} : { uid: wanted.uid }),
    ...(wanted.extra.size === 0 ? {} : { extra: Object.fromEntries(wanted.extra) }),
  };
}

const authentication = 'authentication.k8s.io';

/** Checks the name, and returns the groups that come with it where the headers name none. */
function checkName(context: Context, mode: Mode): readonly string[] | undefined {
  const { wanted } = context;
  const group = mode.constrained ? authentication : '';
  const node = mode.constrained ? nodeNameOf(wanted.name) : undefined;
  if (node !== undefined) {
    // An associated node is allowed as such: the right is not given for one node by name.
    const name = mode.name === 'associated-node' ? '*' : node;
    demandOn(context, mode, { group, resource: 'nodes', name });
    return ['system:nodes'];
  }
  const account = splitServiceAccountUsername(wanted.name);
  if (account === undefined) {
    demandOn(context, mode, { group, resource: 'users', name: wanted.name });
    return undefined;
  }
  demandOn(context, mode, { group, resource: 'serviceaccounts', name: account.name, namespace: account.namespace });
  return wanted.groups.length === 0 ? serviceAccountGroups(account.namespace) : undefined;
}

/** From this many single checks on, a right to all of them is asked for first. */
const manyChecks = 4;

function checkGroups(context: Context, mode: Mode): void {
  const { groups } = context.wanted;
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
  const { extra } = context.wanted;
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

function onlyName(wanted: WantedUser): boolean {
  return wanted.uid === '' && wanted.groups.length === 0 && wanted.extra.size === 0;
}

const nodePrefix = 'system:node:';

function nodeNameOf(username: string): string | undefined {
  if (!username.startsWith(nodePrefix)) return undefined;
  const name = username.slice(nodePrefix.length);
  return checkDns1123Subdomain(name).length === 0 ? name : undefined;
}

/** A service account whose token says that it runs on that node. */
function isOwnNode(requestor: UserInfo, username: string): boolean {
  const node = nodeNameOf(username);
  if (node === undefined || splitServiceAccountUsername(requestor.username) === undefined) return false;
  const [only, ...rest] = requestor.extra?.['authentication.kubernetes.io/node-name'] ?? [];
  return only === node && rest.length === 0;
}
