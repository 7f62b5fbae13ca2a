import type { VersionCount } from '../version/index.js';
import type { Contract } from './contract-version.js';
import { type Endpoint, readEndpoint } from './endpoint.js';
import { fieldAt, flagAt, isObject, listAt, numberAt, type ProviderObject, textAt } from './fields.js';

/** The fields of a control plane object that Clusters, MachineSets and topologies read. */
export interface ControlPlane {
  readonly initialized: boolean;
  readonly endpoint: Endpoint | undefined;
  /** The desired version. */
  readonly specVersion: string | undefined;
  /** The lowest version in use. */
  readonly statusVersion: string | undefined;
  readonly versions: readonly VersionCount[];
  /** Undefined for a control plane without replicas. */
  readonly specReplicas: number | undefined;
  readonly replicas: number | undefined;
  readonly readyReplicas: number | undefined;
  readonly availableReplicas: number | undefined;
  readonly upToDateReplicas: number | undefined;
  /** Whether the control plane is managed externally, so that it has no Machines. */
  readonly externallyManaged: boolean;
}

export const controlPlane = {
  initializedPath: (contract: Contract): string =>
    contract === 'v1beta2' ? 'status.initialization.controlPlaneInitialized' : 'status.initialized',

  read(object: ProviderObject, contract: Contract): ControlPlane {
    const old = contract === 'v1beta1';
    return {
      initialized: old
        ? flagAt(object, 'status', 'initialized')
        : flagAt(object, 'status', 'initialization', 'controlPlaneInitialized'),
      endpoint: readEndpoint(object),
      specVersion: textAt(object, 'spec', 'version'),
      statusVersion: textAt(object, 'status', 'version'),
      versions: versionsOf(object),
      specReplicas: numberAt(object, 'spec', 'replicas'),
      replicas: numberAt(object, 'status', 'replicas'),
      readyReplicas: numberAt(object, 'status', 'readyReplicas'),
      availableReplicas: old ? availableByOldContract(object) : numberAt(object, 'status', 'availableReplicas'),
      upToDateReplicas: numberAt(object, 'status', old ? 'updatedReplicas' : 'upToDateReplicas'),
      externallyManaged: flagAt(object, 'status', 'externalManagedControlPlane'),
    };
  },
} as const;

/** Returns the available replicas. The v1beta1 contract reports the unavailable ones instead. */
function availableByOldContract(object: ProviderObject): number | undefined {
  const unavailable = numberAt(object, 'status', 'unavailableReplicas');
  const desired = numberAt(object, 'spec', 'replicas');
  return unavailable === undefined || desired === undefined ? undefined : Math.max(desired - unavailable, 0);
}

function versionsOf(object: ProviderObject): readonly VersionCount[] {
  if (!Array.isArray(fieldAt(object, 'status', 'versions'))) return [];
  return listAt(object, 'status', 'versions').flatMap((entry) =>
    isObject(entry) && typeof entry['version'] === 'string' && typeof entry['replicas'] === 'number'
      ? [{ version: entry['version'], replicas: entry['replicas'] }]
      : [],
  );
}
