import { type Frozen, type KubeObject, recordAt, textAt } from '@slipway/kube';

export const bootstrapTokenType = 'bootstrap.kubernetes.io/token';
export const bootstrapTokenNamespace = 'kube-system';
export const bootstrapTokenPrefix = 'bootstrap-token-';
const bootstrapGroup = 'system:bootstrappers';

export interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
}

const tokenPattern = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const secretNamePattern = /^bootstrap-token-([a-z0-9]{6})$/;
const groupPattern = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

export function parseBootstrapToken(text: string): BootstrapToken | undefined {
  const match = tokenPattern.exec(text);
  return match === null ? undefined : { id: match[1] ?? '', secret: match[2] ?? '' };
}

/** The decoded content of a bootstrap token Secret. */
export interface BootstrapTokenSecret {
  readonly name: string;
  readonly id: string;
  readonly secret: string;
  readonly expired: boolean;
  /** Milliseconds until the token expires; undefined if it never expires or already has. */
  readonly expiresInMs: number | undefined;
  readonly authenticates: boolean;
  readonly signs: boolean;
  /** Groups of the token's user. Undefined if an extra group is invalid. */
  readonly groups: readonly string[] | undefined;
}

/** Decodes a bootstrap token Secret. Returns undefined for Secrets of another type and for those being deleted. */
export function readBootstrapTokenSecret(secret: Frozen<KubeObject>, now: number): BootstrapTokenSecret | undefined {
  if (textAt(secret, 'type') !== bootstrapTokenType || secret.metadata.deletionTimestamp) return undefined;
  const value = (key: string): string => decodeData(secret, key);
  const expiration = expirationOf(value('expiration'), now);
  return {
    name: secret.metadata.name ?? '',
    id: value('token-id'),
    secret: value('token-secret'),
    ...expiration,
    authenticates: value('usage-bootstrap-authentication') === 'true',
    signs: value('usage-bootstrap-signing') === 'true',
    groups: groupsOf(value('auth-extra-groups')),
  };
}

/** Returns the token id in the name of a Secret. It must equal the id in the Secret's data. */
export function bootstrapTokenIdOfName(name: string): string | undefined {
  return secretNamePattern.exec(name)?.[1];
}

/** The token cleaner's decision: delete now, check again after `againInMs`, or never. */
export type CleanDecision =
  | { readonly delete: true }
  | { readonly delete: false; readonly againInMs: number | undefined };

export function decideTokenCleaning(secret: Frozen<KubeObject>, now: number): CleanDecision {
  const token = readBootstrapTokenSecret(secret, now);
  if (token?.expired === true) return { delete: true };
  return { delete: false, againInMs: token?.expiresInMs };
}

function decodeData(secret: Frozen<KubeObject>, key: string): string {
  return Buffer.from(textAt(recordAt(secret, 'data'), key), 'base64').toString('utf8');
}

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** Parses an expiration time. An invalid one counts as expired, so that a malformed token is not valid forever. */
function expirationOf(text: string, now: number): { expired: boolean; expiresInMs: number | undefined } {
  if (text === '') return { expired: false, expiresInMs: undefined };
  const at = timePattern.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at) || at <= now) return { expired: true, expiresInMs: undefined };
  return { expired: false, expiresInMs: at - now };
}

function groupsOf(text: string): readonly string[] | undefined {
  const extra = text === '' ? [] : text.split(',');
  if (!extra.every((group) => groupPattern.test(group))) return undefined;
  return [...new Set([bootstrapGroup, ...extra])].sort();
}
