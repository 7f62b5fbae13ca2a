import { formatEndpoint, internalErrorMessage, isDeleting, reasons, secretTypes } from '@slipway/cluster-api';
import { type Frozen, isReason } from '@slipway/kube';
import {
  controllerOf,
  edit,
  ensureOwnerReference,
  ifPresent,
  isConditionTrue,
  isControlledBy,
  isSameOwner,
  type Outcome,
  ownerReference,
  removeOwnerReference,
  type Secret,
  secrets,
  wait,
} from '@slipway/runtime';
import { kubeadmConditions } from '../api/index.js';
import {
  CertificateError,
  certificateOf,
  certificateSecret,
  certificateSecretName,
  certificateSecretNames,
  type CertificateSet,
  checkCertificates,
  controlPlaneCertificates,
  createKubeconfig,
  generateCertificates,
  type KeyPair,
  kubeconfigSecret,
  kubeconfigServer,
  missingCertificates,
  needsKubeconfigRotation,
  readCertificates,
} from '../certificates/index.js';
import type { ControlPlaneScope } from './control-plane-scope.js';

const type = kubeadmConditions.certificatesAvailable;

/**
 * Ensures the certificates that all machines of the control plane share. Missing ones are generated until the control plane is
 * initialized. Afterwards they are only reported: a CA other than the one that the machines trust would split the cluster.
 */
export async function reconcileCertificates(scope: ControlPlaneScope): Promise<Outcome | undefined> {
  try {
    const problem = await ensureCertificates(scope);
    if (problem !== undefined) return reportProblem(scope, problem);
  } catch (error) {
    if (error instanceof CertificateError) return reportProblem(scope, error.message);
    reportFailure(scope, error);
    throw error;
  }
  scope.setConditions({ type, status: 'True', reason: reasons.available });
  scope.mark({ type, status: 'True' });
  return undefined;
}

/** Creates missing certificates. Returns a problem as a message, or undefined if all certificates exist and are usable. */
async function ensureCertificates(scope: ControlPlaneScope): Promise<string | undefined> {
  const found = await readSecrets(scope);
  const { checkedSecrets } = scope.dependencies;
  const subject = `certificates of ${scope.controlPlane.metadata.uid}`;
  if (checkedSecrets.isFresh(subject, found.values(), scope.nowMs)) return undefined;
  const set = readCertificates(requiredCertificates(scope), found, scope.clusterKey.name);
  const complete = isEverInitialized(scope) ? set : await generateMissing(scope, set);
  const missing = missingCertificates(complete);
  if (missing.length > 0) return missingMessage(missing);
  // Report an unusable certificate of the user here, where it is visible. Otherwise kubeadm would fail on the machine.
  const [problem] = checkCertificates(complete, scope.clusterKey.name, scope.nowMs);
  if (problem !== undefined) return problem.message;
  const adopted: Frozen<Secret>[] = [];
  for (const secret of found.values()) adopted.push(await adoptSecret(scope, secret));
  if (adopted.length === complete.length) checkedSecrets.note(subject, adopted, scope.nowMs);
  return undefined;
}

function isEverInitialized({ controlPlane }: ControlPlaneScope): boolean {
  return isConditionTrue(controlPlane, kubeadmConditions.initialized);
}

function requiredCertificates({ controlPlane }: ControlPlaneScope): CertificateSet {
  return controlPlaneCertificates(controlPlane.spec.kubeadmConfigSpec?.clusterConfiguration);
}

/** Reads the Secrets from the API server: those of users may lack the label that caches select by. */
async function readSecrets(scope: ControlPlaneScope): Promise<ReadonlyMap<string, Frozen<Secret>>> {
  const names = certificateSecretNames(requiredCertificates(scope), scope.clusterKey.name);
  const found = await Promise.all(names.map(async (name) => [name, await readSecret(scope, name)] as const));
  return new Map(found.filter((entry): entry is [string, Frozen<Secret>] => entry[1] !== undefined));
}

function readSecret(scope: ControlPlaneScope, name: string): Promise<Frozen<Secret> | undefined> {
  const { read, signal } = scope.context;
  return ifPresent(read.get(secrets, { namespace: scope.clusterKey.namespace, name }, { signal }));
}

async function generateMissing(scope: ControlPlaneScope, set: CertificateSet): Promise<CertificateSet> {
  const { clock, random, signal } = scope.context;
  const generated = await generateCertificates(set, { clock, random, keys: scope.dependencies.keys, signal });
  const owner = ownerReference(scope.controlPlane, { controller: true });
  for (const certificate of generated.filter(({ isGenerated }) => isGenerated === true))
    await scope.context.change({
      verb: 'create',
      resource: secrets,
      object: certificateSecret(certificate, scope.clusterKey, owner),
      reason: 'CertificateMissing',
      message: `Generated the ${certificate.purpose} certificate of Cluster ${scope.clusterKey.name}`,
    });
  return generated;
}

/** Adopts a Secret that another controller of Cluster API created. Secrets of users are not adopted. */
async function adoptSecret(scope: ControlPlaneScope, secret: Frozen<Secret>): Promise<Frozen<Secret>> {
  if (secret.type !== secretTypes.cluster || isDeleting(scope.controlPlane)) return secret;
  const desired = ownerReference(scope.controlPlane, { controller: true });
  const controller = controllerOf(secret);
  const owned = edit(secret, ({ metadata }) => {
    if (controller !== undefined && !isSameOwner(controller, desired)) removeOwnerReference(metadata, controller);
    ensureOwnerReference(metadata, desired);
  });
  const message = `Adopted Secret ${secret.metadata.name ?? ''} into KubeadmControlPlane ${desired.name}`;
  return scope.context.change({
    verb: 'patch',
    resource: secrets,
    before: secret,
    after: owned,
    reason: 'Adopted',
    message,
  });
}

function missingMessage(missing: readonly string[]): string {
  const [first = ''] = missing;
  return missing.length === 1
    ? `Cluster certificate for ${first} is not available, please check cluster certificate secrets`
    : `Cluster certificates for ${missing.join(', ')} are not available, please check cluster certificate secrets`;
}

/** Poll interval. Secrets of users may lack the label that the watch selects by. */
const problemRetryMs = 30_000;

/** Reports a problem. An initialized control plane continues, because only new machines need the certificates. Others wait. */
function reportProblem(scope: ControlPlaneScope, message: string): Outcome | undefined {
  scope.setConditions({ type, status: 'False', reason: reasons.notAvailable, message });
  scope.mark({ type, status: 'False', reason: 'CertificatesGenerationFailed', severity: 'Error', message });
  return isEverInitialized(scope)
    ? undefined
    : wait({ ms: problemRetryMs, reason: 'CertificatesNotAvailable', message });
}

function reportFailure(scope: ControlPlaneScope, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  scope.setConditions({ type, status: 'Unknown', reason: reasons.internalError, message: internalErrorMessage });
  scope.mark({ type, status: 'False', reason: 'CertificatesGenerationFailed', severity: 'Warning', message });
}

const authorityRetryMs = 30_000;

/**
 * Creates or adopts the kubeconfig Secret, and renews its client certificate at half-life. Returns undefined unless it must wait.
 */
export async function reconcileKubeconfig(scope: ControlPlaneScope): Promise<Outcome | undefined> {
  const { name } = scope.clusterKey;
  const secret = await readSecret(scope, certificateSecretName(name, 'kubeconfig'));
  if (secret === undefined) return createSecret(scope);
  const { checkedSecrets } = scope.dependencies;
  const subject = `kubeconfig of ${scope.controlPlane.metadata.uid}`;
  if (checkedSecrets.isFresh(subject, [secret], scope.nowMs)) return undefined;
  const owned = await adoptSecret(scope, secret);
  // A user who provides the kubeconfig also renews it.
  if (!isControlledBy(owned, scope.controlPlane) || !needsKubeconfigRotation(owned, scope.nowMs)) {
    checkedSecrets.note(subject, [owned], scope.nowMs);
    return undefined;
  }
  const authority = await readAuthority(scope);
  if (authority === undefined) return waitForAuthority(scope);
  const server = kubeconfigServer(owned, name) ?? serverOf(scope);
  const kubeconfig = await newKubeconfig(scope, authority, server);
  const renewed = kubeconfigSecret(scope.clusterKey, kubeconfig, ownerReference(scope.controlPlane));
  const after = edit(owned, (draft) => void (draft.data = { ...draft.data, ...renewed.data }));
  await scope.context.change({
    verb: 'patch',
    resource: secrets,
    before: owned,
    after,
    reason: 'KubeconfigExpiring',
    message: `Renewed the client certificate in the kubeconfig of Cluster ${name}`,
  });
  return undefined;
}

async function createSecret(scope: ControlPlaneScope): Promise<Outcome | undefined> {
  const authority = await readAuthority(scope);
  if (authority === undefined) return waitForAuthority(scope);
  const kubeconfig = await newKubeconfig(scope, authority, serverOf(scope));
  const owner = ownerReference(scope.controlPlane, { controller: true });
  const message = `Created the kubeconfig of Cluster ${scope.clusterKey.name}`;
  const object = kubeconfigSecret(scope.clusterKey, kubeconfig, owner);
  try {
    await scope.context.change({ verb: 'create', resource: secrets, object, reason: 'KubeconfigMissing', message });
  } catch (error) {
    // Another writer has created the Secret. The next reconcile checks it.
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
  return undefined;
}

/** Returns the URL of the Cluster endpoint, which is an address or the DNS name of a load balancer. */
function serverOf({ cluster }: ControlPlaneScope): string {
  const { host = '', port = 0 } = cluster.spec?.controlPlaneEndpoint ?? {};
  return `https://${formatEndpoint({ host, port })}`;
}

async function readAuthority(scope: ControlPlaneScope): Promise<KeyPair | undefined> {
  const { name } = scope.clusterKey;
  const secretName = certificateSecretName(name, 'ca');
  const secret = await readSecret(scope, secretName);
  if (secret === undefined) return undefined;
  const configuration = scope.controlPlane.spec.kubeadmConfigSpec?.clusterConfiguration;
  const desired = controlPlaneCertificates(configuration).filter(({ purpose }) => purpose === 'ca');
  return certificateOf(readCertificates(desired, new Map([[secretName, secret]]), name), 'ca')?.keyPair;
}

function waitForAuthority({ clusterKey }: ControlPlaneScope): Outcome {
  const message = `cannot create the kubeconfig: Secret ${certificateSecretName(clusterKey.name, 'ca')} does not exist`;
  return wait({ ms: authorityRetryMs, reason: 'WaitingForClusterCA', message });
}

function newKubeconfig(scope: ControlPlaneScope, authority: KeyPair, server: string): Promise<string> {
  const { clock, random, signal } = scope.context;
  const strength = scope.controlPlane.spec.kubeadmConfigSpec?.clusterConfiguration?.encryptionAlgorithm;
  const dependencies = { clock, random, keys: scope.dependencies.keys, signal };
  const { name: clusterName } = scope.clusterKey;
  return createKubeconfig(dependencies, { clusterName, server, authority, ...(strength && { strength }) });
}
