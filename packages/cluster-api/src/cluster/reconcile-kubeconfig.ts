import type { Frozen } from '@slipway/kube';
import { type CertificateAuthority, parseCertificates, privateKeyFromPem } from '@slipway/pki';
import {
  done,
  ifPresent,
  type Outcome,
  ownerReference,
  ReconcileError,
  type Secret,
  secrets,
  wait,
} from '@slipway/runtime';
import { formatEndpoint, isValidEndpoint } from '../contract/index.js';
import { adminKubeconfig, kubeconfigSecret, kubeconfigSecretName } from '../kubeconfig/index.js';
import { type ClusterScope, recordEvent } from './cluster-scope.js';

/**
 * Fallback interval while the CA Secret is missing. Only Secrets with the cluster name label are watched, and a Secret that a
 * user creates may lack the label.
 */
const authorityRetryMs = 30_000;

/**
 * Creates the kubeconfig Secret of a cluster without a control plane object. Otherwise the control plane provider
 * creates it.
 */
export async function reconcileKubeconfig(scope: ClusterScope): Promise<Outcome> {
  const { cluster, context, key } = scope;
  const { controlPlaneEndpoint: endpoint, controlPlaneRef } = cluster.spec;
  if (controlPlaneRef !== undefined || !isValidEndpoint(endpoint)) return done();
  if ((await readSecret(scope, kubeconfigSecretName(key.name))) !== undefined) return done();
  const name = `${key.name}-ca`;
  const authority = await readSecret(scope, name);
  if (authority === undefined) {
    const message = `Secret ${name} does not exist; create it with the CA of the cluster`;
    recordEvent(scope, { type: 'Warning', reason: 'CAMissing', message });
    return wait({ ms: authorityRetryMs, reason: 'CAMissing', message });
  }
  const kubeconfig = await adminKubeconfig(context, {
    clusterName: key.name,
    server: `https://${formatEndpoint(endpoint)}`,
    authority: authorityOf(scope, authority),
    key: await scope.dependencies.keys.next('RSA'),
  });
  const secret = kubeconfigSecret(key, kubeconfig, ownerReference(cluster));
  await context.change({
    verb: 'create',
    resource: secrets,
    object: secret,
    reason: 'KubeconfigMissing',
    message: `Created Secret ${kubeconfigSecretName(key.name)} with an administrator's kubeconfig`,
  });
  return done();
}

function readSecret({ context, key }: ClusterScope, name: string): Promise<Frozen<Secret> | undefined> {
  return ifPresent(context.read.get(secrets, { namespace: key.namespace, name }, { signal: context.signal }));
}

function authorityOf(scope: ClusterScope, secret: Frozen<Secret>): CertificateAuthority {
  const textOf = (name: string): string => Buffer.from(secret.data?.[name] ?? '', 'base64').toString('utf8');
  try {
    const [certificate] = parseCertificates(textOf('tls.crt'));
    if (certificate === undefined) throw new TypeError('tls.crt does not contain a certificate');
    return { certificate, key: privateKeyFromPem(textOf('tls.key')) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const failure = new ReconcileError('InvalidCA', `Secret ${secret.metadata.name ?? ''} cannot be used: ${why}`, {
      retry: 'later',
      remedy: 'set tls.crt and tls.key to the PEM-encoded CA certificate and key',
    });
    recordEvent(scope, { type: 'Warning', reason: failure.reason, message: failure.message });
    throw failure;
  }
}
