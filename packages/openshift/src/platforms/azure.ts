import { annotations, textAt } from '@slipway/cluster-api';
import { infrastructureGroup, managedByUs, namespaces } from '../names.js';
import { azureCredentials } from './credentials.js';
import { machineSpec, type Platform, PlatformError, type PlatformFacts } from './platform.js';

const bootstrapKey = { namespace: namespaces.clusterApi, name: azureCredentials.secretName };
const clientSecretName = 'capz-manager-cluster-credential';

export const azure: Platform = {
  type: 'Azure',
  provider: 'azure',
  gateSuffix: 'Azure',
  kindPrefix: 'Azure',
  version: 'v1beta1',
  needsProviderSpec: true,
  credentials: azureCredentials,
  secretKeys: () => [bootstrapKey],
  infraCluster(facts) {
    const { infrastructure, infraName, endpoint, providerSpec } = facts;
    const status = (field: string): string | undefined =>
      textAt(infrastructure, 'status', 'platformStatus', 'azure', field);
    if (status('cloudName') === 'AzureStackCloud')
      throw new PlatformError('UnsupportedConfiguration', 'Cluster API is not available on Azure Stack');
    const spec = machineSpec({ providerSpec });
    const identityRef = { apiVersion: `${infrastructureGroup}/v1beta1`, kind: 'AzureClusterIdentity', name: infraName };
    return {
      isManagedByUs: true,
      companions: identity(facts),
      spec: {
        location: textAt(spec, 'spec', 'location') ?? '',
        azureEnvironment: 'AzurePublicCloud',
        identityRef: { ...identityRef, namespace: namespaces.clusterApi },
        networkSpec: {
          vnet: {
            name: textAt(spec, 'spec', 'vnet') ?? '',
            resourceGroup: textAt(spec, 'spec', 'networkResourceGroup') ?? '',
          },
          nodeOutboundLB: { name: infraName, backendPool: { name: infraName } },
        },
        resourceGroup: status('resourceGroupName') ?? textAt(spec, 'spec', 'resourceGroup') ?? '',
        controlPlaneEndpoint: { ...endpoint },
      },
    };
  },
};

/** Returns the identity. Throws without credentials, because the identity would have an empty secret. */
function identity({ infraName, secret }: PlatformFacts) {
  const data = secret(bootstrapKey)?.data ?? {};
  const value = (key: string): string => Buffer.from(data[key] ?? '', 'base64').toString('utf8');
  const missing = ['azure_client_id', 'azure_tenant_id', 'azure_client_secret'].filter((key) => value(key) === '');
  if (missing.length > 0)
    throw new PlatformError(
      'WaitingOnExternal',
      `Secret ${bootstrapKey.namespace}/${bootstrapKey.name} with ${missing.join(', ')}, which the cloud credential operator creates`,
    );
  const namespace = namespaces.clusterApi;
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace, name: clientSecretName },
      type: 'Opaque',
      data: { clientSecret: data['azure_client_secret'] ?? '' },
    },
    {
      apiVersion: `${infrastructureGroup}/v1beta1`,
      kind: 'AzureClusterIdentity',
      metadata: { namespace, name: infraName, annotations: { [annotations.managedBy]: managedByUs } },
      spec: {
        type: 'ServicePrincipal',
        clientID: value('azure_client_id'),
        tenantID: value('azure_tenant_id'),
        clientSecret: { name: clientSecretName, namespace },
        allowedNamespaces: { list: [namespace] },
      },
    },
  ];
}
