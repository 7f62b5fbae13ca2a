import { controlPlane, resolveKind } from '@slipway/cluster-api';
import { type BootstrapData, type BootstrapRole, createBootstrapData, secretNamesOf } from '../bootstrap-data/index.js';
import type { CertificateSet } from '../certificates/index.js';
import type { ConfigScope } from './config-scope.js';
import { readSecrets } from './read-secrets.js';

/** What the machine is told, with the contents of all Secrets that the spec names. */
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

/** Only files that are templates ask for it; clusters without a control plane object have none. */
async function findControlPlaneVersion(scope: ConfigScope): Promise<string | undefined> {
  const reference = scope.cluster.spec?.controlPlaneRef;
  const asked = scope.spec.files?.some((file) => file.contentFormat === 'Template') === true;
  if (reference === undefined || !asked) return undefined;
  const { client, sources, signal } = scope.context;
  const { resource, contract } = resolveKind(sources, reference);
  const object = await client.get(resource, { namespace: scope.namespace, name: reference.name }, { signal });
  return controlPlane.read(object, contract).specVersion;
}
