import { listAt, numberAt, textAt } from '@slipway/cluster-api';
import type { JsonObject } from '@slipway/kube';
import { nutanixCredentials } from './credentials.js';
import { type Platform, PlatformError, type PlatformFacts } from './platform.js';

export const nutanix: Platform = {
  type: 'Nutanix',
  provider: 'nutanix',
  kindPrefix: 'Nutanix',
  version: 'v1beta1',
  needsProviderSpec: false,
  credentials: nutanixCredentials,
  infraCluster: (facts) => ({
    isManagedByUs: true,
    spec: {
      controlPlaneEndpoint: { ...facts.endpoint },
      prismCentral: prismCentral(facts),
      ...failureDomains(facts),
    },
  }),
};

const path = ['spec', 'platformSpec', 'nutanix'] as const;

function prismCentral({ infrastructure }: PlatformFacts): JsonObject {
  const address = textAt(infrastructure, ...path, 'prismCentral', 'address');
  const port = numberAt(infrastructure, ...path, 'prismCentral', 'port');
  if (address === undefined || port === undefined)
    throw new PlatformError('InvalidConfiguration', 'the Infrastructure has no address and port of Prism Central');
  return { address, port, credentialRef: { kind: 'Secret', name: nutanixCredentials.secretName } };
}

function failureDomains({ infrastructure }: PlatformFacts): JsonObject {
  const given = listAt(infrastructure, ...path, 'failureDomains') as readonly JsonObject[];
  if (given.length === 0) return {};
  const domains = given.map((domain) => ({
    name: domain['name'] ?? '',
    cluster: domain['cluster'] ?? {},
    subnets: domain['subnets'] ?? [],
    controlPlane: true,
  }));
  return { failureDomains: domains, controlPlaneFailureDomains: domains.map(({ name }) => ({ name })) };
}
