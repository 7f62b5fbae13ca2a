import { listAt, textAt } from '@slipway/cluster-api';
import type { JsonObject } from '@slipway/kube';
import { namespaces } from '../names.js';
import { vsphereCredentials } from './credentials.js';
import { machineSpec, type Platform, PlatformError, type PlatformFacts } from './platform.js';

/** Secret in which the installer stores the credentials of all vCenters. */
const credentialsKey = { namespace: 'kube-system', name: 'vsphere-creds' };

export const vsphere: Platform = {
  type: 'VSphere',
  provider: 'vsphere',
  gateSuffix: 'VSphere',
  kindPrefix: 'VSphere',
  version: 'v1beta1',
  needsProviderSpec: true,
  credentials: vsphereCredentials,
  secretKeys: () => [credentialsKey],
  infraCluster(facts) {
    const server = serverOf(facts);
    return {
      isManagedByUs: true,
      companions: [credentials(facts, server)],
      spec: {
        server,
        identityRef: { kind: 'Secret', name: facts.infraName },
        controlPlaneEndpoint: { ...facts.endpoint },
      },
    };
  },
};

function serverOf({ infrastructure, providerSpec }: PlatformFacts): string {
  const [vcenter] = listAt(infrastructure, 'spec', 'platformSpec', 'vsphere', 'vcenters') as readonly JsonObject[];
  const server = vcenter?.['server'] ?? textAt(machineSpec({ providerSpec }), 'spec', 'workspace', 'server');
  if (typeof server === 'string' && server !== '') return server;
  throw new PlatformError('InvalidConfiguration', 'neither the Infrastructure nor a machine refers to a vCenter');
}

function credentials({ infraName, secret }: PlatformFacts, server: string) {
  const data = secret(credentialsKey)?.data ?? {};
  const [username, password] = [data[`${server}.username`], data[`${server}.password`]];
  if (username === undefined || password === undefined)
    throw new PlatformError(
      'WaitingOnExternal',
      `Secret ${credentialsKey.namespace}/${credentialsKey.name} with a user name and password of ${server}`,
    );
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: namespaces.clusterApi, name: infraName },
    type: 'Opaque',
    data: { username, password },
  };
}
