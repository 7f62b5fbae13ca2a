import { internalErrorMessage, isDeleting, reasons } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  controllerOf,
  edit,
  ensureOwnerReference,
  ifPresent,
  isConditionTrue,
  isSameOwner,
  type Outcome,
  ownerReference,
  patchObject,
  removeOwnerReference,
  type Secret,
  secrets,
  wait,
} from '@slipway/runtime';
import { secretTypes } from '@slipway/cluster-api';
import { kubeadmConditions } from '../api/index.js';
import {
  CertificateError,
  certificateSecret,
  certificateSecretNames,
  type CertificateSet,
  checkCertificates,
  controlPlaneCertificates,
  generateCertificates,
  missingCertificates,
  readCertificates,
} from '../certificates/index.js';
import type { ControlPlanePass } from './control-plane-pass.js';

const type = kubeadmConditions.certificatesAvailable;

/**
 * The certificates that all machines of the control plane share. They are made while the control plane has not come up;
 * afterwards a missing one is only reported: another authority than the one that the machines trust would split the cluster.
 */
export async function reconcileCertificates(pass: ControlPlanePass): Promise<Outcome | undefined> {
  try {
    const problem = await ensureCertificates(pass);
    if (problem !== undefined) return reportProblem(pass, problem);
  } catch (error) {
    if (error instanceof CertificateError) return reportProblem(pass, error.message);
    reportFailure(pass, error);
    throw error;
  }
  pass.setConditions({ type, status: 'True', reason: reasons.available });
  pass.mark({ type, status: 'True' });
  return undefined;
}

/** What is wrong, in words; undefined when all of them are there and can be used. */
async function ensureCertificates(pass: ControlPlanePass): Promise<string | undefined> {
  const found = await readSecrets(pass);
  const { checkedSecrets } = pass.world;
  const subject = `certificates of ${pass.controlPlane.metadata.uid}`;
  if (checkedSecrets.isFresh(subject, found.values(), pass.nowMs)) return undefined;
  const set = readCertificates(wantedCertificates(pass), found, pass.clusterKey.name);
  const complete = isEverInitialized(pass) ? set : await generateMissing(pass, set);
  const missing = missingCertificates(complete);
  if (missing.length > 0) return missingMessage(missing);
  // What the user brought cannot work: said here, where it is seen, instead of by kubeadm on a machine.
  const [problem] = checkCertificates(complete, pass.clusterKey.name, pass.nowMs);
  if (problem !== undefined) return problem.message;
  const adopted: Frozen<Secret>[] = [];
  for (const secret of found.values()) adopted.push(await adoptSecret(pass, secret));
  if (adopted.length === complete.length) checkedSecrets.note(subject, adopted, pass.nowMs);
  return undefined;
}

function isEverInitialized({ controlPlane }: ControlPlanePass): boolean {
  return isConditionTrue(controlPlane, kubeadmConditions.initialized);
}

function wantedCertificates({ controlPlane }: ControlPlanePass): CertificateSet {
  return controlPlaneCertificates(controlPlane.spec.kubeadmConfigSpec?.clusterConfiguration);
}

/** Asked of the server, not of a cache: users' own Secrets need not bear the label that caches go by. */
async function readSecrets(pass: ControlPlanePass): Promise<ReadonlyMap<string, Frozen<Secret>>> {
  const names = certificateSecretNames(wantedCertificates(pass), pass.clusterKey.name);
  const found = await Promise.all(names.map(async (name) => [name, await readSecret(pass, name)] as const));
  return new Map(found.filter((entry): entry is [string, Frozen<Secret>] => entry[1] !== undefined));
}

export function readSecret(pass: ControlPlanePass, name: string): Promise<Frozen<Secret> | undefined> {
  const { client, signal } = pass.context;
  return ifPresent(client.get(secrets, { namespace: pass.clusterKey.namespace, name }, { signal }));
}

async function generateMissing(pass: ControlPlanePass, set: CertificateSet): Promise<CertificateSet> {
  const { client, clock, random, signal } = pass.context;
  const generated = await generateCertificates(set, { clock, random, keys: pass.world.keys, signal });
  const owner = ownerReference(pass.controlPlane, { controller: true });
  const { name } = pass.clusterKey;
  const cluster = { namespace: pass.clusterKey.namespace, name };
  for (const certificate of generated)
    if (certificate.isGenerated === true)
      await client.create(secrets, certificateSecret(certificate, cluster, owner), { signal });
  return generated;
}

/** Secrets that another part of Cluster API made are the control plane's from now on; users' own stay theirs. */
export async function adoptSecret(pass: ControlPlanePass, secret: Frozen<Secret>): Promise<Frozen<Secret>> {
  if (secret.type !== secretTypes.cluster || isDeleting(pass.controlPlane)) return secret;
  const { client, signal } = pass.context;
  const wanted = ownerReference(pass.controlPlane, { controller: true });
  const controller = controllerOf(secret);
  const owned = edit(secret, ({ metadata }) => {
    if (controller !== undefined && !isSameOwner(controller, wanted)) removeOwnerReference(metadata, controller);
    ensureOwnerReference(metadata, wanted);
  });
  return patchObject(client, secrets, secret, owned, { signal });
}

function missingMessage(missing: readonly string[]): string {
  const [first = ''] = missing;
  return missing.length === 1
    ? `Cluster certificate for ${first} is not available, please check cluster certificate secrets`
    : `Cluster certificates for ${missing.join(', ')} are not available, please check cluster certificate secrets`;
}

/** Nobody tells of the Secrets that users bring: they need not bear a label that they could be watched by. */
const problemRetryMs = 30_000;

/** A control plane that runs goes on without what only new machines need; one that does not is not begun. */
function reportProblem(pass: ControlPlanePass, message: string): Outcome | undefined {
  pass.setConditions({ type, status: 'False', reason: reasons.notAvailable, message });
  pass.mark({ type, status: 'False', reason: 'CertificatesGenerationFailed', severity: 'Error', message });
  return isEverInitialized(pass)
    ? undefined
    : wait({ ms: problemRetryMs, reason: 'CertificatesNotAvailable', message });
}

function reportFailure(pass: ControlPlanePass, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  pass.setConditions({ type, status: 'Unknown', reason: reasons.internalError, message: internalErrorMessage });
  pass.mark({ type, status: 'False', reason: 'CertificatesGenerationFailed', severity: 'Warning', message });
}
