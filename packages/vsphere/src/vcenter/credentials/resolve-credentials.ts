import { type Frozen, labelSelectorFromObject } from '@slipway/kube';
import { namespaces, type ReconcileContext } from '@slipway/runtime';
import { type VSphereCluster, vsphereClusterIdentities } from '../../api/index.js';
import type { VCenterDependencies } from '../dependencies.js';
import { CredentialsError } from './credentials-error.js';
import type { VCenterCredentials } from './read-secret.js';

type Context = Pick<ReconcileContext, 'read' | 'signal'>;

/**
 * Returns the credentials of a cluster: those of its Secret, of its VSphereClusterIdentity, or else of the manager. Objects that
 * outlive their cluster use the manager's credentials, so that they can still be deleted.
 */
export async function resolveCredentials(
  context: Context,
  dependencies: VCenterDependencies,
  vsphereCluster: Pick<Frozen<VSphereCluster>, 'metadata' | 'spec'> | undefined,
): Promise<VCenterCredentials> {
  const { read, signal } = context;
  const reference = vsphereCluster?.spec.identityRef;
  const namespace = vsphereCluster?.metadata.namespace ?? '';
  if (reference?.kind === 'Secret')
    return dependencies.credentials.read(read, { namespace, name: reference.name }, { signal });
  if (reference !== undefined) return readIdentity(context, dependencies, reference.name, namespace);
  const own = await dependencies.managerCredentials();
  if (own !== undefined) return own;
  throw new CredentialsError(
    'no credentials for vCenter: the cluster has no identityRef and the manager has no credentials',
    'set spec.identityRef of the VSphereCluster to a Secret with username and password',
  );
}

async function readIdentity(
  { read, signal }: Context,
  dependencies: VCenterDependencies,
  name: string,
  namespace: string,
): Promise<VCenterCredentials> {
  const identity = await read.get(vsphereClusterIdentities, { namespace: '', name }, { signal });
  if (identity.status?.ready !== true) throw new CredentialsError("identity isn't ready to be used yet");
  const { allowedNamespaces, secretName } = identity.spec;
  if (allowedNamespaces === undefined) {
    throw new CredentialsError(
      'allowedNamespaces set to nil, no namespaces are allowed to use this identity',
      `set spec.allowedNamespaces of VSphereClusterIdentity ${name}`,
    );
  }
  const own = await read.get(namespaces, { namespace: '', name: namespace }, { signal });
  const selector = labelSelectorFromObject(allowedNamespaces.selector ?? {});
  if (!selector.matches(own.metadata.labels ?? {})) {
    // The misspelled word is upstream's: users search for this message.
    throw new CredentialsError(`namespace ${namespace} is not allowed to use specifified identity`);
  }
  return dependencies.credentials.read(
    read,
    { namespace: dependencies.controllerNamespace, name: secretName },
    { signal },
  );
}
