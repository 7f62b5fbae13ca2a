import type { JsonObject } from '@slipway/kube';
import type { Cluster } from '../api/index.js';
import type { Contract } from './contract-version.js';
import { readEndpoint, type Endpoint } from './endpoint.js';
import { fieldAt, flagAt, isObject, listAt, type ProviderObject } from './fields.js';

type FailureDomain = NonNullable<NonNullable<Cluster['status']>['failureDomains']>[number];

/** The fields of an infrastructure object that a Cluster reads. */
export interface InfrastructureCluster {
  readonly provisioned: boolean;
  readonly endpoint: Endpoint | undefined;
  /** Sorted by name. */
  readonly failureDomains: readonly FailureDomain[];
}

export const infrastructureCluster = {
  /** The path of the flag that reports the infrastructure as provisioned, for messages. */
  provisionedPath: (contract: Contract): string =>
    contract === 'v1beta2' ? 'status.initialization.provisioned' : 'status.ready',

  read(object: ProviderObject, contract: Contract): InfrastructureCluster {
    return {
      provisioned:
        contract === 'v1beta2'
          ? flagAt(object, 'status', 'initialization', 'provisioned')
          : flagAt(object, 'status', 'ready'),
      endpoint: readEndpoint(object),
      failureDomains: (contract === 'v1beta2' ? domainList(object) : domainMap(object)).sort((left, right) =>
        left.name < right.name ? -1 : 1,
      ),
    };
  },
} as const;

function domainList(object: ProviderObject): FailureDomain[] {
  return listAt(object, 'status', 'failureDomains').flatMap((entry) =>
    isObject(entry) && typeof entry['name'] === 'string' ? [domain(entry['name'], entry)] : [],
  );
}

function domainMap(object: ProviderObject): FailureDomain[] {
  const map = fieldAt(object, 'status', 'failureDomains');
  if (!isObject(map)) return [];
  return Object.entries(map).map(([name, entry]) => domain(name, isObject(entry) ? entry : {}));
}

function domain(name: string, entry: JsonObject): FailureDomain {
  const { attributes } = entry;
  return {
    name,
    controlPlane: entry['controlPlane'] === true,
    ...(isObject(attributes) && Object.keys(attributes).length > 0 ? { attributes: textsOf(attributes) } : {}),
  };
}

function textsOf(attributes: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
