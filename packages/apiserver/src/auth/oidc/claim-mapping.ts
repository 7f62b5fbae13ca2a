import { isFields, type JsonValue } from '@slipway/kube';
import type { UserInfo } from '../../contract/index.js';
import { TokenRefused } from '../tokens/token-authenticator.js';
import { type ClaimProgram, userValue } from './claim-expressions.js';
import type { ClaimMapping, JwtIssuerConfiguration } from './configuration.js';

type Claims = Readonly<Record<string, JsonValue>>;

/** Maps the verified claims of a token to a user, and applies the rules of the issuer. Throws TokenRefused. */
export function userOfClaims(issuer: JwtIssuerConfiguration, claims: Claims): UserInfo {
  checkClaims(issuer, claims);
  const username = usernameOf(issuer.username, claims);
  if (username === '') throw new TokenRefused('oidc: the user name is empty');
  const groups = groupsOf(issuer.groups, claims);
  const uid = issuer.uid === undefined ? '' : mappedText(issuer.uid, claims, 'uid');
  const extra = extraOf(issuer, claims);
  const user: UserInfo = {
    username,
    groups,
    ...(uid === '' ? {} : { uid }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
  for (const { expression, message } of issuer.userRules)
    requireTrue(expression, userValue(user), message, 'oidc: user validation failed');
  return user;
}

function checkClaims({ claimRules }: JwtIssuerConfiguration, claims: Claims): void {
  for (const rule of claimRules) {
    if ('expression' in rule) {
      requireTrue(rule.expression, claims, rule.message, 'oidc: claim validation failed');
      continue;
    }
    const value = claimAt(claims, rule.claim);
    if (value !== rule.requiredValue)
      throw new TokenRefused(`oidc: required claim ${rule.claim} is missing or has an unexpected value`);
  }
}

function requireTrue(expression: ClaimProgram, value: JsonValue, message: string, title: string): void {
  if (evaluate(expression, value) === true) return;
  throw new TokenRefused(`${title}: ${message === '' ? `expression '${expression.text}' is not true` : message}`);
}

function evaluate(expression: ClaimProgram, value: JsonValue): JsonValue {
  try {
    return expression.evaluate(value);
  } catch (error) {
    throw new TokenRefused(`oidc: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function usernameOf(mapping: ClaimMapping, claims: Claims): string {
  const text = mappedText(mapping, claims, 'user name');
  if (!('claim' in mapping)) return text;
  // An unverified email address must not become a user name.
  if (mapping.claim === 'email' && claims['email_verified'] !== undefined && claims['email_verified'] !== true)
    throw new TokenRefused('oidc: email not verified');
  return `${mapping.prefix}${text}`;
}

function mappedText(mapping: ClaimMapping, claims: Claims, title: string): string {
  const value = 'claim' in mapping ? claimAt(claims, mapping.claim) : evaluate(mapping.expression, claims);
  if (typeof value === 'string') return value;
  throw new TokenRefused(`oidc: the ${title} is not a string`);
}

function groupsOf(mapping: ClaimMapping | undefined, claims: Claims): readonly string[] {
  if (mapping === undefined) return [];
  if (!('claim' in mapping)) return textsOf(evaluate(mapping.expression, claims), 'groups');
  return textsOf(claimAt(claims, mapping.claim) ?? null, 'groups').map((group) => `${mapping.prefix}${group}`);
}

function extraOf({ extra }: JwtIssuerConfiguration, claims: Claims): Record<string, readonly string[]> {
  const entries = extra.map(({ key, expression }) => [key, textsOf(evaluate(expression, claims), key)] as const);
  const { jti } = claims;
  // The audit log identifies the token that authenticated the user.
  const credential = typeof jti === 'string' && jti !== '' ? [`JTI=${jti}`] : [];
  const all = [['authentication.kubernetes.io/credential-id', credential] as const, ...entries];
  return Object.fromEntries(all.filter(([, values]) => values.length > 0));
}

/** Returns a string or a list of strings as a list. Null and empty strings give an empty list. */
function textsOf(value: JsonValue, title: string): string[] {
  if (value === null || value === '') return [];
  const list = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  if (list.every((one) => typeof one === 'string')) return [...list];
  throw new TokenRefused(`oidc: ${title} must be a string or a list of strings`);
}

function claimAt(claims: Claims, name: string): JsonValue | undefined {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

export function isClaims(value: unknown): value is Claims {
  return isFields(value);
}
