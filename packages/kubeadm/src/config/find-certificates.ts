import { type Frozen, isReason } from '@slipway/kube';
import { controllerOf, ownerReference, type Secret, secrets } from '@slipway/runtime';
import { kubeadmConfigs, kubeadmControlPlanes } from '../api/index.js';
import type { BootstrapRole } from '../bootstrap-data/index.js';
import {
  CertificateError,
  certificateSecret,
  certificateSecretName,
  certificateSecretNames,
  type CertificateSet,
  checkCertificates,
  controlPlaneCertificates,
  generateCertificates,
  missingCertificates,
  readCertificates,
  workerCertificates,
} from '../certificates/index.js';
import { setCertificatesAvailable } from './config-conditions.js';
import type { ConfigScope } from './config-scope.js';
import { readSecrets } from './data-secret.js';

/**
 * Returns the certificates that a machine of this role needs. Throws if one is unusable. Generates them only for the first
 * machine of a cluster without a control plane object, which would otherwise generate them.
 */
export async function findCertificates(scope: ConfigScope, role: BootstrapRole): Promise<CertificateSet> {
  const { name = '' } = scope.cluster.metadata;
  const desired =
    role === 'worker-join'
      ? workerCertificates(scope.spec.joinConfiguration?.caCertPath)
      : controlPlaneCertificates(scope.spec.clusterConfiguration);
  const secretsByName = await readSecrets(scope, certificateSecretNames(desired, name));
  let found = readCertificates(desired, secretsByName, name);
  if (role === 'init' && scope.cluster.spec?.controlPlaneRef === undefined) found = await complete(scope, found);
  const [missing] = missingCertificates(found);
  if (missing !== undefined)
    throw new CertificateError(
      'Missing',
      missing,
      `Secret ${certificateSecretName(name, missing)} does not exist; restore it from a backup, because machines do not trust a new CA`,
    );
  const brought = found.filter(({ purpose }) => !isGenerated(secretsByName.get(certificateSecretName(name, purpose))));
  const [problem] = checkCertificates(brought, name, scope.context.clock.now());
  if (problem !== undefined) throw problem;
  scope.update(setCertificatesAvailable);
  return found;
}

/**
 * Whether a kubeadm controller generated the Secret. Secrets of users have no controller. They are validated on every reconcile,
 * which takes longer than the rest of a join.
 */
function isGenerated(secret: Frozen<Secret> | undefined): boolean {
  if (secret === undefined) return true;
  const controller = controllerOf(secret);
  return controller?.kind === kubeadmConfigs.kind || controller?.kind === kubeadmControlPlanes.kind;
}

async function complete(scope: ConfigScope, found: CertificateSet): Promise<CertificateSet> {
  const { clock, random, signal } = scope.context;
  const set = await generateCertificates(found, { clock, random, keys: scope.dependencies.keys, signal });
  const owner = ownerReference(scope.config, { controller: true });
  for (const certificate of set.filter(({ isGenerated }) => isGenerated === true)) {
    try {
      await scope.context.change({
        verb: 'create',
        resource: secrets,
        object: certificateSecret(certificate, scope.clusterKey, owner),
        reason: 'CertificateMissing',
        message: `Generated the ${certificate.purpose} certificate of Cluster ${scope.clusterKey.name}`,
      });
    } catch (error) {
      // The certificate of another writer takes precedence. The next reconcile reads it.
      if (!isReason(error, 'AlreadyExists')) throw error;
      throw new Error(`certificate ${certificate.purpose} was created concurrently by another client`, {
        cause: error,
      });
    }
  }
  return set;
}
