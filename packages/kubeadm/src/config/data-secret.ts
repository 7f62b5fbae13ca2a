import { controlPlane, resolveKind } from '@slipway/cluster-api';
import { type Frozen, isReason } from '@slipway/kube';
import {
  controllerOf,
  edit,
  ensureOwnerReference,
  ifPresent,
  keyOf,
  ownerReference,
  ReconcileError,
  type Secret,
  secrets,
} from '@slipway/runtime';
import {
  type BootstrapData,
  bootstrapDataSecret,
  type BootstrapRole,
  createBootstrapData,
  secretNamesOf,
} from '../bootstrap-data/index.js';
import type { CertificateSet } from '../certificates/index.js';
import { setDataSecretAvailable } from './config-conditions.js';
import type { ConfigScope } from './config-scope.js';

/** Creates or replaces the data Secret, and records its name in the status. */
export async function storeBootstrapData(scope: ConfigScope, data: BootstrapData): Promise<void> {
  const { context, config, owner, cluster } = scope;
  const secret = bootstrapDataSecret(config, cluster.metadata.name ?? '', data);
  const written = `bootstrap data of ${owner.kind} ${owner.name}`;
  const cause = { reason: 'BootstrapDataGenerated', message: `Created the ${written}` };
  try {
    await context.change({ verb: 'create', resource: secrets, object: secret, ...cause });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
    const replacement = bootstrapDataSecret(config, cluster.metadata.name ?? '', data);
    await context.change({
      verb: 'patch',
      resource: secrets,
      replacement,
      ...cause,
      message: `Replaced the ${written}`,
    });
  }
  scope.dependencies.ownerSchedule.set(keyOf(scope.config), ownerCheckMs);
  markDataSecret(scope, secret.metadata.name ?? '');
}

/** The resync interval. More frequent checks are not needed, because no other controller writes the Secret. */
const ownerCheckMs = 600_000;

export function markDataSecret(scope: ConfigScope, name: string): void {
  scope.update((draft, nowMs) => {
    draft.status = { ...draft.status, dataSecretName: name, initialization: { dataSecretCreated: true } };
    setDataSecretAvailable(draft, nowMs);
  });
}

/**
 * Updates the owner reference of the data Secret. A move or a restore changes the uid of the KubeadmConfig, and with a stale
 * owner the Secret would be leaked or deleted too early.
 */
export async function ensureDataSecretOwner(scope: ConfigScope): Promise<void> {
  const { config, context } = scope;
  const { ownerSchedule } = scope.dependencies;
  const key = keyOf(config);
  if (ownerSchedule.remainingMs(key) > 0) return;
  const secret = await readSecret(scope, config.metadata.name ?? '');
  if (secret === undefined) return;
  const { blockOwnerDeletion: _block, ...desired } = ownerReference(config, { controller: true });
  const other = controllerOf(secret);
  if (other !== undefined && other.kind !== desired.kind)
    throw new ReconcileError(
      'SecretTaken',
      `could not add KubeadmConfig ${desired.name} as ownerReference to bootstrap Secret ${desired.name}, it is already controlled by ${other.kind} ${other.name}`,
      { retry: 'later', remedy: 'rename or delete that Secret' },
    );
  const owned: Frozen<Secret> = edit(secret, (draft) => ensureOwnerReference(draft.metadata, desired));
  await context.change({
    verb: 'patch',
    resource: secrets,
    before: secret,
    after: owned,
    reason: 'Adopted',
    message: `Made KubeadmConfig ${desired.name} the owner of its bootstrap data Secret`,
  });
  ownerSchedule.set(key, ownerCheckMs);
}

/** Renders the bootstrap data, with the contents of all Secrets that the spec references. */
export async function renderBootstrapData(
  scope: ConfigScope,
  role: BootstrapRole,
  certificates: CertificateSet,
): Promise<BootstrapData> {
  const controlPlaneVersion = await findControlPlaneVersion(scope);
  const data = createBootstrapData({
    role,
    config: scope.config,
    cluster: scope.cluster,
    kubernetesVersion: scope.owner.version,
    certificates,
    secrets: await readSecrets(scope, secretNamesOf(scope.spec)),
    ...(controlPlaneVersion === undefined ? {} : { controlPlaneVersion }),
  });
  for (const warning of data.warnings) scope.context.logger.warn({ warning }, 'Bootstrap data has a warning');
  return data;
}

/** Returns the version of the control plane object, if there is one. Only template files use it. */
async function findControlPlaneVersion(scope: ConfigScope): Promise<string | undefined> {
  const reference = scope.cluster.spec?.controlPlaneRef;
  const hasTemplates = scope.spec.files?.some((file) => file.contentFormat === 'Template') === true;
  if (reference === undefined || !hasTemplates) return undefined;
  const { read, sources, signal } = scope.context;
  const { resource, contract } = resolveKind(sources, reference);
  const object = await read.get(resource, { namespace: scope.namespace, name: reference.name }, { signal });
  return controlPlane.read(object, contract).specVersion;
}

/** Returns the Secrets of these names that exist. Reads from the API server: this controller does not cache Secrets. */
export async function readSecrets(
  scope: ConfigScope,
  names: readonly string[],
): Promise<ReadonlyMap<string, Frozen<Secret>>> {
  const found = await Promise.all(names.map((name) => readSecret(scope, name)));
  return new Map(names.flatMap((name, index) => (found[index] === undefined ? [] : [[name, found[index]] as const])));
}

function readSecret(scope: ConfigScope, name: string): Promise<Frozen<Secret> | undefined> {
  const { read, signal } = scope.context;
  return ifPresent(read.get(secrets, { namespace: scope.namespace, name }, { signal }));
}
