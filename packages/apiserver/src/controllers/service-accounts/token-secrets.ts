import type { Disposable } from '@slipway/base';
import { type Frozen, generateUid, type KubeObject } from '@slipway/kube';
import { type ServiceAccountKeys, serviceAccountUsername, signToken } from '../../auth/index.js';
import { fields, text } from '../../builtins/shared/fields.js';
import type { LoopbackClient } from '../../loops/index.js';
import type { Random } from '@slipway/base';
import {
  type ControllerWorld,
  coreResources,
  createController,
  follow,
  isTerminating,
  placeKey,
  splitPlaceKey,
  storageOf,
  thaw,
} from '../shared/index.js';

const secretType = 'kubernetes.io/service-account-token';
const nameAnnotation = 'kubernetes.io/service-account.name';
const uidAnnotation = 'kubernetes.io/service-account.uid';
const secrets = storageOf(coreResources.secrets);
const accounts = storageOf(coreResources.serviceAccounts);

export interface TokenSecretOptions {
  readonly authorityPem: string;
  readonly keys: ServiceAccountKeys;
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly random: Random;
}

/** Fills the secrets that ask for a token of a service account, and removes them with their account. */
export function startTokenSecrets(world: ControllerWorld, options: TokenSecretOptions): Disposable {
  const { store } = world;
  const { scope, loop } = createController(world, 'token-secrets', async (place, client) => {
    const key = splitPlaceKey(place);
    const secret = store.get({ resource: secrets, ...key })?.object;
    if (secret === undefined || !isTokenSecret(secret) || isTerminating(secret)) return;
    const account = accountOf(world, secret);
    if (account === undefined) await removeSecret(client, secret);
    else await fillSecret(client, secret, account, options, world.clock.now());
  });
  scope.add(
    follow(store, secrets, ({ key, object, gone }) => void (gone || !isTokenSecret(object) || loop.add(placeKey(key)))),
  );
  scope.add(
    store.watch({ resource: accounts }, store.revision, ({ type, current }) => {
      if (type === 'MODIFIED') return;
      const { namespace, name } = current.key;
      for (const { key, object } of store.list({ resource: secrets, namespace }))
        if (isTokenSecret(object) && object.metadata.annotations?.[nameAnnotation] === name) loop.add(placeKey(key));
    }),
  );
  return scope;
}

function isTokenSecret(secret: Frozen<KubeObject>): boolean {
  return secret['type'] === secretType;
}

/** The account that the secret means; one of the same name but another uid is somebody else. */
function accountOf(world: ControllerWorld, secret: Frozen<KubeObject>): Frozen<KubeObject> | undefined {
  const { namespace = '', annotations = {} } = secret.metadata;
  const name = annotations[nameAnnotation] ?? '';
  const account = world.store.get({ resource: accounts, namespace, name })?.object;
  const uid = annotations[uidAnnotation] ?? '';
  return account === undefined || (uid !== '' && uid !== account.metadata.uid) ? undefined : account;
}

async function removeSecret(client: LoopbackClient, secret: Frozen<KubeObject>): Promise<void> {
  const { namespace = '', name = '', uid = '' } = secret.metadata;
  await client.delete(coreResources.secrets, namespace, name, { preconditions: { uid } });
}

async function fillSecret(
  client: LoopbackClient,
  secret: Frozen<KubeObject>,
  account: Frozen<KubeObject>,
  options: TokenSecretOptions,
  now: number,
): Promise<void> {
  const data = fields(secret['data']);
  const { namespace = '', annotations = {} } = secret.metadata;
  const wanted = { 'ca.crt': encode(options.authorityPem), namespace: encode(namespace) };
  const complete =
    text(data['token']) !== '' &&
    data['ca.crt'] === wanted['ca.crt'] &&
    data['namespace'] === wanted.namespace &&
    annotations[uidAnnotation] === account.metadata.uid;
  if (complete) return;
  const token = text(data['token']) || encode(await issueToken(secret, account, options, now));
  const next = thaw(secret);
  next['data'] = { ...data, ...wanted, token };
  next.metadata.annotations = { ...annotations, [uidAnnotation]: account.metadata.uid ?? '' };
  await client.update(next);
}

/** Without an end: it lives as long as its secret does. */
function issueToken(
  secret: Frozen<KubeObject>,
  account: Frozen<KubeObject>,
  options: TokenSecretOptions,
  now: number,
): Promise<string> {
  const { namespace = '', name = '', uid = '' } = secret.metadata;
  const owner = { name: account.metadata.name ?? '', uid: account.metadata.uid ?? '' };
  const issuedAt = Math.floor(now / 1000);
  return signToken(options.keys, {
    iss: options.issuer,
    sub: serviceAccountUsername(namespace, owner.name),
    aud: options.audiences,
    iat: issuedAt,
    nbf: issuedAt,
    jti: generateUid(options.random),
    namespace,
    serviceAccount: owner,
    secret: { name, uid },
  });
}

function encode(value: string): string {
  return Buffer.from(value).toString('base64');
}
