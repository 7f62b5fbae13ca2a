import { textAt } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { Sources } from '@slipway/runtime';
import {
  clusterApiGate,
  evaluateGates,
  type Gates,
  machineManagementGate,
  migrationGate,
  releaseVersion,
} from '../feature-gate/evaluate.js';
import { clusterVersions, featureGates, type Infrastructure, infrastructures } from '../api/index.js';
import { clusterVersionKey, singletonKey } from '../names.js';
import { findPlatform, type Platform } from '../platforms/index.js';

/** State of Cluster API in this cluster, from feature gates and platform. */
export type Scope =
  /** Disabled: nothing is installed, and existing components are kept. */
  | { readonly type: 'off'; readonly version: string }
  | { readonly type: 'pending'; readonly version: string; readonly message: string }
  | { readonly type: 'invalid'; readonly version: string; readonly message: string }
  /** Enabled on a platform without a provider: only the core provider is installed. */
  | { readonly type: 'unsupported'; readonly version: string }
  | ActiveScope;

export interface ActiveScope {
  readonly type: 'on';
  readonly version: string;
  readonly platform: Platform;
  readonly infrastructure: Frozen<Infrastructure>;
  readonly infraName: string;
  readonly endpoint: { readonly host: string; readonly port: number };
  readonly isMigrating: boolean;
}

export function observeScope(sources: Sources, ownVersion: string): Scope {
  const version = releaseVersion(ownVersion, sources.sourceFor(clusterVersions).get(clusterVersionKey));
  const gates = evaluateGates(sources.sourceFor(featureGates).get(singletonKey), version);
  return decideScope(gates, sources.sourceFor(infrastructures).get(singletonKey), version);
}

export function decideScope(gates: Gates, infrastructure: Frozen<Infrastructure> | undefined, version: string): Scope {
  if (gates.type !== 'known') return { ...gates, version };
  const { isEnabled } = gates;
  if (!isEnabled(clusterApiGate) && !isEnabled(machineManagementGate)) return { type: 'off', version };
  const platform = findPlatform(infrastructure && textAt(infrastructure, 'status', 'platformStatus', 'type'));
  if (infrastructure === undefined || platform === undefined || isAzureStack(infrastructure))
    return { type: 'unsupported', version };
  if (
    !isEnabled(clusterApiGate) &&
    platform.gateSuffix !== undefined &&
    !isEnabled(machineManagementGate + platform.gateSuffix)
  )
    return { type: 'unsupported', version };
  const infraName = textAt(infrastructure, 'status', 'infrastructureName');
  if (infraName === undefined)
    return { type: 'invalid', version, message: 'Infrastructure cluster has no status.infrastructureName' };
  const endpoint = readEndpoint(textAt(infrastructure, 'status', 'apiServerInternalURI') ?? '');
  if (endpoint === undefined)
    return {
      type: 'invalid',
      version,
      message: 'status.apiServerInternalURI of Infrastructure cluster is not a URL with a port',
    };
  return {
    type: 'on',
    version,
    platform,
    infrastructure,
    infraName,
    endpoint,
    isMigrating: isMigrating(isEnabled, platform),
  };
}

/**
 * Parses the API server URL, whose port must be explicit. A regular expression is used, because the URL parser drops the default
 * port of the scheme.
 */
function readEndpoint(uri: string): { host: string; port: number } | undefined {
  const port = /^https?:\/\/(?:\[[^\]]+\]|[^:/]+):(\d{1,5})(?:\/|$)/.exec(uri)?.[1];
  if (port === undefined || !URL.canParse(uri) || Number(port) > 65_535) return undefined;
  return { host: new URL(uri).hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function isAzureStack(infrastructure: Frozen<Infrastructure>): boolean {
  return textAt(infrastructure, 'status', 'platformStatus', 'azure', 'cloudName') === 'AzureStackCloud';
}

/** Returns whether machine migration is enabled and supported on the platform. */
function isMigrating(isEnabled: (name: string) => boolean, { type }: Platform): boolean {
  return (
    isEnabled(migrationGate) && (type === 'AWS' || (type === 'OpenStack' && isEnabled(`${migrationGate}OpenStack`)))
  );
}
