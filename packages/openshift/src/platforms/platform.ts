import type { Frozen, JsonObject, KubeObject } from '@slipway/kube';
import { ReconcileError, type ObjectKey, type Secret } from '@slipway/runtime';
import { infrastructureGroup } from '../names.js';

/** Existing data from which an InfraCluster is created. */
export interface PlatformFacts {
  /** The OpenShift Infrastructure object. */
  readonly infrastructure: Frozen<KubeObject>;
  readonly infraName: string;
  readonly endpoint: { readonly host: string; readonly port: number };
  /** providerSpec of the control plane machines. */
  readonly providerSpec: JsonObject | undefined;
  readonly secret: (key: ObjectKey) => Frozen<Secret> | undefined;
  /** Networks that were discovered from the cloud, for platforms that need them. */
  readonly networks?: DiscoveredNetworks | undefined;
}

/** Returns the providerSpec, or an empty object. */
export function machineSpec({ providerSpec }: Pick<PlatformFacts, 'providerSpec'>): Frozen<KubeObject> {
  return { apiVersion: '', kind: '', metadata: {}, spec: providerSpec ?? {} };
}

export interface DiscoveredNetworks {
  readonly networkId: string;
  readonly routerId: string;
  readonly externalNetworkId: string;
}

export interface DesiredInfraCluster {
  readonly spec: JsonObject;
  /** Whether this operator sets the status. False if the provider must set it. */
  readonly isManagedByUs: boolean;
  /** Objects to create first and keep up to date: credentials and identities. */
  readonly companions?: readonly KubeObject[];
}

/** Properties of a platform. To add one, add a file here and an entry in `platforms`. */
export interface Platform {
  /** Platform type in the Infrastructure object. */
  readonly type: string;
  /** Name of the InfrastructureProvider object. */
  readonly provider: string;
  /** Name of the platform in its feature gates. Absent if it has none. */
  readonly gateSuffix?: string;
  /** Prefix of the kinds: `AWS` for AWSCluster, AWSMachine and AWSMachineTemplate. */
  readonly kindPrefix: string;
  readonly version: 'v1beta1' | 'v1beta2';
  readonly needsProviderSpec: boolean;
  /** Secrets that the desired objects are created from. */
  readonly secretKeys?: (facts: Pick<PlatformFacts, 'infrastructure' | 'providerSpec'>) => readonly ObjectKey[];
  readonly discoversNetworks?: boolean;
  readonly credentials?: PlatformCredentials;
  /** Returns the desired InfraCluster. Throws a PlatformError. */
  readonly infraCluster: (facts: PlatformFacts) => DesiredInfraCluster;
}

export interface PlatformCredentials {
  readonly secretName: string;
  readonly serviceAccount: string;
  readonly providerSpec: JsonObject;
  readonly cloudTokenPath?: string;
}

export type PlatformReason = 'WaitingOnExternal' | 'InvalidConfiguration' | 'UnsupportedConfiguration';

/** The InfraCluster cannot be created yet: it waits for an object, or for a configuration that only the user can change. */
export class PlatformError extends ReconcileError<PlatformReason> {
  constructor(reason: PlatformReason, message: string, remedy?: string) {
    const retry = reason === 'WaitingOnExternal' ? 'onChange' : 'never';
    super(reason, message, { retry, ...(remedy !== undefined && { remedy }) });
  }
}

export function infraClusterKind({ kindPrefix }: Platform): string {
  return `${kindPrefix}Cluster`;
}

/** Returns the kinds of a platform by role. Their plurals are regular. */
export function platformKinds(platform: Platform): Record<'cluster' | 'machine' | 'template', string> {
  const { kindPrefix } = platform;
  return { cluster: `${kindPrefix}Cluster`, machine: `${kindPrefix}Machine`, template: `${kindPrefix}MachineTemplate` };
}

export function infraApiVersion({ version }: Platform): string {
  return `${infrastructureGroup}/${version}`;
}
