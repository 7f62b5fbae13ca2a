import { type Frozen, isReason } from '@slipway/kube';
import {
  controllerOf,
  edit,
  ensureOwnerReference,
  keyOf,
  ownerReference,
  patchObject,
  ReconcileError,
  type Secret,
  secrets,
} from '@slipway/runtime';
import { bootstrapDataSecret, type BootstrapData } from '../bootstrap-data/index.js';
import { setDataSecretAvailable } from './config-conditions.js';
import type { ConfigScope } from './config-scope.js';
import { readSecret } from './read-secrets.js';

/** Creates or replaces the data Secret, and says so in the status. The latch is never taken back. */
export async function storeBootstrapData(scope: ConfigScope, data: BootstrapData): Promise<void> {
  const { client, signal, logger } = scope.context;
  const secret = bootstrapDataSecret(scope.config, scope.cluster.metadata.name ?? '', data);
  try {
    await client.create(secrets, secret, { signal });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
    logger.info({ Secret: { namespace: scope.namespace, name: secret.metadata.name } }, 'Replacing bootstrap data');
    await client.update(secrets, bootstrapDataSecret(scope.config, scope.cluster.metadata.name ?? '', data), {
      signal,
    });
  }
  scope.world.ownerSchedule.set(keyOf(scope.config), ownerCheckMs);
  markDataSecret(scope, secret.metadata.name ?? '');
}

/** As often as everything is looked at although nothing changed: nobody but us writes it. */
const ownerCheckMs = 600_000;

export function markDataSecret(scope: ConfigScope, name: string): void {
  scope.change((draft, nowMs) => {
    draft.status = { ...draft.status, dataSecretName: name, initialization: { dataSecretCreated: true } };
    setDataSecretAvailable(draft, nowMs);
  });
}

/** A move or a restore gives the config another uid: without its owner the Secret would outlive it, or go too early. */
export async function ensureDataSecretOwner(scope: ConfigScope): Promise<void> {
  const { config, context } = scope;
  const { ownerSchedule } = scope.world;
  const key = keyOf(config);
  if (ownerSchedule.remainingMs(key) > 0) return;
  const secret = await readSecret(scope, config.metadata.name ?? '');
  if (secret === undefined) return;
  const { blockOwnerDeletion: _block, ...wanted } = ownerReference(config, { controller: true });
  const other = controllerOf(secret);
  if (other !== undefined && other.kind !== wanted.kind)
    throw new ReconcileError(
      'SecretTaken',
      `could not add KubeadmConfig ${wanted.name} as ownerReference to bootstrap Secret ${wanted.name}, it is already controlled by ${other.kind} ${other.name}`,
      { retry: 'later', remedy: 'rename or delete that Secret' },
    );
  const owned: Frozen<Secret> = edit(secret, (draft) => ensureOwnerReference(draft.metadata, wanted));
  await patchObject(context.client, secrets, secret, owned, { signal: context.signal });
  ownerSchedule.set(key, ownerCheckMs);
}
