import { isFields, parseYamlValue } from '@slipway/kube';
import { type ClaimProgram, compileClaimExpression, ExpressionProblem } from './claim-expressions.js';

type Fields = Readonly<Record<string, unknown>>;

/** A claim with a prefix, or an expression that computes the value. */
export type ClaimMapping = { readonly claim: string; readonly prefix: string } | { readonly expression: ClaimProgram };

type ClaimRule =
  | { readonly claim: string; readonly requiredValue: string }
  | { readonly expression: ClaimProgram; readonly message: string };

/** One trusted issuer of tokens. */
export interface JwtIssuerConfiguration {
  readonly url: string;
  readonly discoveryUrl: string | undefined;
  readonly certificateAuthority: string | undefined;
  readonly audiences: readonly string[];
  readonly claimRules: readonly ClaimRule[];
  readonly username: ClaimMapping;
  readonly groups: ClaimMapping | undefined;
  readonly uid: ClaimMapping | undefined;
  readonly extra: readonly { readonly key: string; readonly expression: ClaimProgram }[];
  readonly userRules: readonly { readonly expression: ClaimProgram; readonly message: string }[];
}

export interface AuthenticationConfiguration {
  readonly issuers: readonly JwtIssuerConfiguration[];
  /** Undefined if the file has no section for anonymous requests. In that case they are allowed. */
  readonly anonymous: { readonly enabled: boolean; readonly paths: readonly string[] } | undefined;
}

export class AuthenticationConfigurationError extends Error {
  override readonly name = 'AuthenticationConfigurationError';
}

const group = 'apiserver.config.k8s.io';
const versions = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `${group}/${version}`);
const issuersMax = 64;

/**
 * Parses an AuthenticationConfiguration in YAML or JSON. Tokens of `ownIssuer`, the issuer of service account tokens, are not
 * verified by such a configuration.
 */
export function parseAuthenticationConfiguration(text: string, ownIssuer: string): AuthenticationConfiguration {
  const root = parsed(text);
  if (root['kind'] !== 'AuthenticationConfiguration' || !versions.includes(String(root['apiVersion'])))
    throw problem('', `must have apiVersion ${versions[0]} and kind AuthenticationConfiguration`);
  known(root, '', ['apiVersion', 'kind', 'jwt', 'anonymous']);
  const issuers = listAt(root, 'jwt', '');
  if (issuers.length > issuersMax) throw problem('jwt', `must have at most ${issuersMax} items`);
  const read = issuers.map((issuer, index) => readIssuer(issuer, `jwt[${index}]`, ownIssuer));
  for (const [index, { url, discoveryUrl }] of read.entries()) {
    if (read.findIndex((one) => one.url === url) !== index)
      throw problem(`jwt[${index}].issuer.url`, `duplicate value "${url}"`);
    if (discoveryUrl !== undefined && read.findIndex((one) => one.discoveryUrl === discoveryUrl) !== index)
      throw problem(`jwt[${index}].issuer.discoveryURL`, `duplicate value "${discoveryUrl}"`);
  }
  return { issuers: read, anonymous: readAnonymous(root) };
}

function parsed(text: string): Fields {
  let root: unknown;
  try {
    root = parseYamlValue(text);
  } catch (error) {
    throw problem('', `cannot be parsed: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isFields(root)) throw problem('', 'must be an object');
  return root;
}

function readAnonymous(root: Fields): AuthenticationConfiguration['anonymous'] {
  const anonymous = objectAt(root, 'anonymous', '');
  if (anonymous === undefined) return undefined;
  known(anonymous, 'anonymous', ['enabled', 'conditions']);
  const conditions = listAt(anonymous, 'conditions', 'anonymous');
  const enabled = anonymous['enabled'] === true;
  if (!enabled && conditions.length > 0)
    throw problem('anonymous.conditions', 'must be empty if anonymous is not enabled');
  return { enabled, paths: conditions.map((one, index) => required(one, 'path', `anonymous.conditions[${index}]`)) };
}

function readIssuer(jwt: Fields, path: string, ownIssuer: string): JwtIssuerConfiguration {
  known(jwt, path, ['issuer', 'claimValidationRules', 'claimMappings', 'userValidationRules']);
  const issuer = objectAt(jwt, 'issuer', path) ?? {};
  const at = `${path}.issuer`;
  known(issuer, at, [
    'url',
    'discoveryURL',
    'certificateAuthority',
    'audiences',
    'audienceMatchPolicy',
    'egressSelectorType',
  ]);
  const url = readUrl(required(issuer, 'url', at), `${at}.url`);
  if (url === ownIssuer) throw problem(`${at}.url`, `must not be the issuer of service account tokens, ${ownIssuer}`);
  const discovery = textAt(issuer, 'discoveryURL', at);
  if (discovery === url) throw problem(`${at}.discoveryURL`, 'must be different from the URL of the issuer');
  const mappings = objectAt(jwt, 'claimMappings', path) ?? {};
  const mappingPath = `${path}.claimMappings`;
  known(mappings, mappingPath, ['username', 'groups', 'uid', 'extra']);
  const username = readMapping(mappings, 'username', mappingPath);
  if (username === undefined) throw problem(`${mappingPath}.username`, 'claim or expression is required');
  if (usesUnverifiedEmail(username, jwt))
    throw problem(`${mappingPath}.username.expression`, 'claims.email_verified must be used if claims.email is used');
  return {
    url,
    discoveryUrl: discovery === '' ? undefined : readUrl(discovery, `${at}.discoveryURL`),
    certificateAuthority: textAt(issuer, 'certificateAuthority', at) || undefined,
    audiences: readAudiences(issuer, at),
    claimRules: listAt(jwt, 'claimValidationRules', path).map((rule, index) =>
      readClaimRule(rule, `${path}.claimValidationRules[${index}]`),
    ),
    username,
    groups: readMapping(mappings, 'groups', mappingPath),
    uid: readMapping(mappings, 'uid', mappingPath),
    extra: readExtra(mappings, mappingPath),
    userRules: readUserRules(jwt, path),
  };
}

function readAudiences(issuer: Fields, at: string): readonly string[] {
  const audiences = issuer['audiences'];
  if (
    !Array.isArray(audiences) ||
    audiences.length === 0 ||
    !audiences.every((one) => typeof one === 'string' && one !== '')
  )
    throw problem(`${at}.audiences`, 'at least one audience is required, and none may be empty');
  const policy = textAt(issuer, 'audienceMatchPolicy', at);
  if (audiences.length > 1 ? policy !== 'MatchAny' : !['', 'MatchAny'].includes(policy))
    throw problem(`${at}.audienceMatchPolicy`, 'must be MatchAny for multiple audiences');
  return audiences as string[];
}

function readClaimRule(rule: Fields, path: string): ClaimRule {
  known(rule, path, ['claim', 'requiredValue', 'expression', 'message']);
  const [claim, expression] = [textAt(rule, 'claim', path), textAt(rule, 'expression', path)];
  if ((claim === '') === (expression === '')) throw problem(path, 'exactly one of claim and expression is required');
  if (claim !== '') return { claim, requiredValue: textAt(rule, 'requiredValue', path) };
  return {
    expression: compiled(expression, 'claims', 'condition', `${path}.expression`),
    message: textAt(rule, 'message', path),
  };
}

function readUserRules(jwt: Fields, path: string): JwtIssuerConfiguration['userRules'] {
  return listAt(jwt, 'userValidationRules', path).map((rule, index) => {
    const at = `${path}.userValidationRules[${index}]`;
    known(rule, at, ['expression', 'message']);
    const text = required(rule, 'expression', at);
    return {
      expression: compiled(text, 'user', 'condition', `${at}.expression`),
      message: textAt(rule, 'message', at),
    };
  });
}

function readMapping(mappings: Fields, name: 'username' | 'groups' | 'uid', parent: string): ClaimMapping | undefined {
  const path = `${parent}.${name}`;
  const mapping = objectAt(mappings, name, parent) ?? {};
  known(mapping, path, name === 'uid' ? ['claim', 'expression'] : ['claim', 'prefix', 'expression']);
  const [claim, text] = [textAt(mapping, 'claim', path), textAt(mapping, 'expression', path)];
  const prefix = mapping['prefix'];
  if (claim !== '' && text !== '') throw problem(path, 'claim and expression cannot both be set');
  if (text !== '') {
    if (prefix !== undefined && prefix !== null) throw problem(`${path}.prefix`, 'cannot be set with an expression');
    return { expression: compiled(text, 'claims', name === 'groups' ? 'texts' : 'text', `${path}.expression`) };
  }
  if (claim === '') return undefined;
  if (name !== 'uid' && typeof prefix !== 'string')
    throw problem(`${path}.prefix`, 'is required with a claim; it may be empty');
  return { claim, prefix: typeof prefix === 'string' ? prefix : '' };
}

/** Whether a user name is computed from an email address without checking that the address is verified. */
function usesUnverifiedEmail(username: ClaimMapping, jwt: Fields): boolean {
  if (!('expression' in username) || !/claims\.\??email\b/.test(username.expression.text)) return false;
  return !/claims\.\??email_verified/.test(JSON.stringify(jwt));
}

function readExtra(mappings: Fields, parent: string): JwtIssuerConfiguration['extra'] {
  const entries = listAt(mappings, 'extra', parent).map((entry, index) => {
    const path = `${parent}.extra[${index}]`;
    known(entry, path, ['key', 'valueExpression']);
    const key = required(entry, 'key', path);
    if (!/^[a-z0-9.-]+\/[a-z0-9A-Z%._~!$&'()*+,;=:@/-]+$/.test(key) || key !== key.toLowerCase())
      throw problem(`${path}.key`, 'must be a lower-case path with a domain prefix, such as example.com/tenant');
    const text = required(entry, 'valueExpression', path);
    return { key, expression: compiled(text, 'claims', 'texts', `${path}.valueExpression`) };
  });
  const double = entries.find(({ key }, index) => entries.findIndex((one) => one.key === key) !== index);
  if (double !== undefined) throw problem(`${parent}.extra`, `duplicate key "${double.key}"`);
  return entries;
}

function compiled(
  ...[text, variable, result, path]: [...Parameters<typeof compileClaimExpression>, string]
): ClaimProgram {
  try {
    return compileClaimExpression(text, variable, result);
  } catch (error) {
    if (error instanceof ExpressionProblem) throw problem(path, error.message);
    throw error;
  }
}

function readUrl(text: string, path: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') throw problem(path, `"${text}" is not a URL with the scheme https`);
  if (url.username !== '' || url.search !== '' || url.hash !== '')
    throw problem(path, 'must not have a user, query or fragment');
  return text;
}

function problem(path: string, text: string): AuthenticationConfigurationError {
  return new AuthenticationConfigurationError(path === '' ? `the file ${text}` : `${path}: ${text}`);
}

function known(value: Fields, path: string, names: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) throw problem(path === '' ? unknown : `${path}.${unknown}`, 'unknown field');
}

function textAt(value: Fields, name: string, path: string): string {
  const text = value[name] ?? '';
  if (typeof text !== 'string') throw problem(`${path}.${name}`, 'must be a string');
  return text;
}

function required(value: Fields, name: string, path: string): string {
  const text = textAt(value, name, path);
  if (text === '') throw problem(`${path}.${name}`, 'a value is required');
  return text;
}

function objectAt(value: Fields, name: string, path: string): Fields | undefined {
  const object = value[name] ?? undefined;
  if (object === undefined || isFields(object)) return object;
  throw problem(path === '' ? name : `${path}.${name}`, 'must be an object');
}

function listAt(value: Fields, name: string, path: string): readonly Fields[] {
  const list = value[name] ?? [];
  if (Array.isArray(list) && list.every(isFields)) return list;
  throw problem(path === '' ? name : `${path}.${name}`, 'must be a list of objects');
}
