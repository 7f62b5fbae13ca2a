import { listAt, objectAt, textAt } from '@slipway/cluster-api';
import type { JsonObject } from '@slipway/kube';
import { gcpCredentials } from './credentials.js';
import { machineSpec, type Platform, type PlatformFacts } from './platform.js';

export const gcp: Platform = {
  type: 'GCP',
  provider: 'gcp',
  gateSuffix: 'GCP',
  kindPrefix: 'GCP',
  version: 'v1beta1',
  needsProviderSpec: true,
  credentials: gcpCredentials,
  infraCluster(facts) {
    const spec = machineSpec(facts);
    const [networkInterface] = listAt(spec, 'spec', 'networkInterfaces') as readonly JsonObject[];
    const network = networkInterface?.['network'];
    return {
      isManagedByUs: true,
      spec: {
        network: { name: typeof network === 'string' ? network : '' },
        region: textAt(facts.infrastructure, 'status', 'platformStatus', 'gcp', 'region') ?? '',
        project: project(facts) ?? textAt(spec, 'spec', 'projectID') ?? '',
        controlPlaneEndpoint: { ...facts.endpoint },
      },
    };
  },
};

/** Returns the project. Older clusters have it only in the providerSpec of machines. */
function project({ infrastructure }: PlatformFacts): string | undefined {
  if (objectAt(infrastructure, 'spec', 'platformSpec', 'gcp') === undefined) return undefined;
  return textAt(infrastructure, 'status', 'platformStatus', 'gcp', 'projectID');
}
