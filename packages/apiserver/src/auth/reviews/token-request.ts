import type { Clock, Random } from '@slipway/base';
import {
  badRequest,
  conflict,
  type FieldError,
  formatTime,
  type Frozen,
  generateUid,
  integerAt,
  invalid,
  invalidField,
  type KubeObject,
  type MutableJsonObject,
  notFound,
  parseApiVersion,
  recordAt,
  type StatusError,
  textAt,
  textsAt,
} from '@slipway/kube';
import type { Store, SubresourceCreate } from '../../contract/index.js';
import {
  type ObjectRef,
  type ServiceAccountClaims,
  type ServiceAccountKeys,
  serviceAccountUsername,
  signToken,
} from '../tokens/index.js';

export interface TokenRequestOptions {
  readonly store: Pick<Store, 'get'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: ServiceAccountKeys;
  readonly issuer: string;
  readonly audiences: readonly string[];
  /** Maximum lifetime. Requests for a longer one get this lifetime. */
  readonly expirationSecondsMax?: number;
}

const group = 'authentication.k8s.io';
const expirationSecondsDefault = 3600;
const expirationSecondsMin = 600;
/**
 * The lifetime that kubelets request for clients that may not reload tokens. Such tokens are valid for a year and record when the
 * client should have reloaded them.
 */
const warnOnlyExpirationSeconds = 3607;
const extendedExpirationSeconds = 365 * 24 * 3600;

/** Handles POST serviceaccounts/<name>/token. */
export function createTokenRequest(options: TokenRequestOptions): SubresourceCreate {
  return async ({ namespace, name, body }) => {
    const metadata = recordAt(body, 'metadata');
    checkMetadata(metadata, namespace, name);
    const account = find(options.store, 'serviceaccounts', namespace, name);
    checkUid(metadata, account, name);
    const request = readRequest(body, options);
    const problems = validate(request);
    if (problems.length > 0) throw invalid({ group, kind: 'TokenRequest' }, '', problems);
    const now = options.clock.now();
    const bound = resolveBound(options.store, request, namespace, name);
    const claims = claimsOf(options, account, request, bound, now);
    const token = await signToken(options.keys, claims);
    return { code: 201, object: answer(account, request, token, now) };
  };
}

interface TokenSpec {
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly boundObjectRef: { kind: string; apiVersion: string; name: string; uid: string } | undefined;
}

function readRequest(body: MutableJsonObject, options: TokenRequestOptions): TokenSpec {
  const spec = recordAt(body, 'spec');
  const audiences = textsAt(spec, 'audiences');
  const ref = recordAt(spec, 'boundObjectRef');
  const requested = integerAt(spec, 'expirationSeconds') ?? expirationSecondsDefault;
  const most = options.expirationSecondsMax ?? Number.POSITIVE_INFINITY;
  return {
    audiences: audiences.length > 0 ? audiences : options.audiences,
    expirationSeconds: requested > most ? most : requested,
    boundObjectRef: ref && {
      kind: textAt(ref, 'kind'),
      apiVersion: textAt(ref, 'apiVersion'),
      name: textAt(ref, 'name'),
      uid: textAt(ref, 'uid'),
    },
  };
}

function checkMetadata(metadata: unknown, namespace: string, name: string): void {
  const kind = { group, kind: 'TokenRequest' };
  const ownName = textAt(metadata, 'name');
  if (ownName !== '' && ownName !== name)
    throw invalid(kind, name, [
      invalidField('metadata.name', ownName, 'must match the service account name if specified'),
    ]);
  const ownNamespace = textAt(metadata, 'namespace');
  if (ownNamespace !== '' && ownNamespace !== namespace)
    throw invalid(kind, name, [
      invalidField('metadata.namespace', ownNamespace, 'must match the service account namespace if specified'),
    ]);
}

function checkUid(metadata: unknown, account: Frozen<KubeObject>, name: string): void {
  const uid = textAt(metadata, 'uid');
  if (uid === '' || uid === account.metadata.uid) return;
  const text = `the UID in the token request (${uid}) does not match the UID of the service account (${account.metadata.uid ?? ''})`;
  throw conflict({ group, resource: 'TokenRequest' }, name, text);
}

function validate(request: TokenSpec): FieldError[] {
  const { expirationSeconds } = request;
  const field = 'spec.expirationSeconds';
  if (expirationSeconds < expirationSecondsMin)
    return [invalidField(field, expirationSeconds, 'may not specify a duration less than 10 minutes')];
  if (expirationSeconds > 2 ** 32)
    return [invalidField(field, expirationSeconds, 'may not specify a duration larger than 2^32 seconds')];
  return [];
}

type Bound = Pick<ServiceAccountClaims, 'pod' | 'secret' | 'node'>;

function resolveBound(store: Pick<Store, 'get'>, request: TokenSpec, namespace: string, account: string): Bound {
  const ref = request.boundObjectRef;
  if (ref === undefined) return {};
  const { group: refGroup, version } = parseApiVersion(ref.apiVersion);
  if (refGroup !== '' || !['Pod', 'Secret', 'Node'].includes(ref.kind))
    throw badRequest(`cannot bind token to object of type ${formatKind(refGroup, version, ref.kind)}`);
  const resource = `${ref.kind.toLowerCase()}s`;
  const object = find(store, resource, ref.kind === 'Node' ? '' : namespace, ref.name);
  if (ref.kind === 'Pod') checkPodAccount(object, account);
  if (ref.uid !== '' && ref.uid !== object.metadata.uid) throw uidConflict(ref);
  const bound = refOf(object);
  if (ref.kind === 'Secret') return { secret: bound };
  if (ref.kind === 'Node') return { node: bound };
  return { pod: bound, ...nodeOfPod(store, object) };
}

function checkPodAccount(pod: Frozen<KubeObject>, account: string): void {
  if (textAt(recordAt(pod, 'spec'), 'serviceAccountName') === account) return;
  throw badRequest(
    `cannot bind token for serviceaccount "${account}" to pod running with different serviceaccount name.`,
  );
}

function uidConflict(ref: { kind: string; name: string; uid: string }): StatusError {
  const text = `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  return conflict({ group: '', resource: ref.kind }, ref.name, text);
}

function nodeOfPod(store: Pick<Store, 'get'>, pod: Frozen<KubeObject>): Bound {
  const name = textAt(recordAt(pod, 'spec'), 'nodeName');
  if (name === '') return {};
  const node = store.get({ resource: 'nodes', namespace: '', name });
  return { node: { name, uid: node?.object.metadata.uid ?? '' } };
}

/** Formats a GroupVersionKind as Go prints it. */
function formatKind(refGroup: string, version: string, kind: string): string {
  return `${refGroup}/${version}, Kind=${kind}`;
}

function find(store: Pick<Store, 'get'>, resource: string, namespace: string, name: string): Frozen<KubeObject> {
  const stored = store.get({ resource, namespace, name });
  if (stored === undefined) throw notFound({ group: '', resource }, name);
  return stored.object;
}

function refOf(object: Frozen<KubeObject>): ObjectRef {
  return { name: object.metadata.name ?? '', uid: object.metadata.uid ?? '' };
}

function claimsOf(
  options: TokenRequestOptions,
  account: Frozen<KubeObject>,
  request: TokenSpec,
  bound: Bound,
  now: number,
): ServiceAccountClaims {
  const seconds = Math.floor(now / 1000);
  const { namespace = '', name = '' } = account.metadata;
  const forThisServer = request.audiences.every((audience) => options.audiences.includes(audience));
  const extend = bound.pod !== undefined && request.expirationSeconds === warnOnlyExpirationSeconds && forThisServer;
  return {
    iss: options.issuer,
    sub: serviceAccountUsername(namespace, name),
    aud: request.audiences,
    exp: seconds + (extend ? extendedExpirationSeconds : request.expirationSeconds),
    iat: seconds,
    nbf: seconds,
    jti: generateUid(options.random),
    namespace,
    serviceAccount: refOf(account),
    ...bound,
    ...(extend ? { warnAfter: seconds + request.expirationSeconds } : {}),
  };
}

function answer(account: Frozen<KubeObject>, request: TokenSpec, token: string, now: number): MutableJsonObject {
  const { name = '', namespace = '', uid = '' } = account.metadata;
  const ref = request.boundObjectRef;
  return {
    kind: 'TokenRequest',
    apiVersion: `${group}/v1`,
    metadata: { name, namespace, uid, creationTimestamp: formatTime(now) },
    spec: {
      audiences: [...request.audiences],
      expirationSeconds: request.expirationSeconds,
      boundObjectRef: ref === undefined ? null : { ...ref },
    },
    status: { token, expirationTimestamp: formatTime(now + request.expirationSeconds * 1000) },
  };
}
