import type { Frozen, JsonObject, KubeObject } from '@slipway/kube';
import { ReconcileError, type ObjectKey, type Secret } from '@slipway/runtime';
import { infrastructureGroup } from '../names.js';

/** What an InfraCluster is made from: all of it is in the cluster already. */
export interface PlatformFacts {
  /** The Infrastructure object. */
  readonly infrastructure: Frozen<KubeObject>;
  readonly infraName: string;
  readonly endpoint: { readonly host: string; readonly port: number };
  /** Of the control plane machines, whoever keeps them. */
  readonly providerSpec: JsonObject | undefined;
  readonly secret: (key: ObjectKey) => Frozen<Secret> | undefined;
  /** Found by asking the cloud; only where the platform says so. */
  readonly networks?: DiscoveredNetworks | undefined;
}

/** The providerSpec in the form in which fields of foreign objects are read. */
export function machineSpec({ providerSpec }: Pick<PlatformFacts, 'providerSpec'>): Frozen<KubeObject> {
  return { apiVersion: '', kind: '', metadata: {}, spec: providerSpec ?? {} };
}

export interface DiscoveredNetworks {
  readonly networkId: string;
  readonly routerId: string;
  readonly externalNetworkId: string;
}

export interface InfraClusterWanted {
  readonly spec: JsonObject;
  /** False where the provider itself has to fill the status. */
  readonly isManagedByUs: boolean;
  /** What has to be there before: credentials, identities. Kept as they are said here. */
  readonly companions?: readonly KubeObject[];
}

/** What Slipway knows of a platform. A new one is a file here and a line in the registry. */
export interface Platform {
  /** As the Infrastructure object says it. */
  readonly type: string;
  /** The infrastructure provider, as its CR is called. */
  readonly provider: string;
  /** Of the feature gates of this platform; absent where there are none. */
  readonly gateSuffix?: string;
  /** `AWS` for AWSCluster, AWSMachine and AWSMachineTemplate. */
  readonly kindPrefix: string;
  readonly version: 'v1beta1' | 'v1beta2';
  readonly needsProviderSpec: boolean;
  /** Secrets that the wanted objects are made from. */
  readonly secretKeys?: (facts: Pick<PlatformFacts, 'infrastructure' | 'providerSpec'>) => readonly ObjectKey[];
  readonly discoversNetworks?: boolean;
  readonly credentials?: PlatformCredentials;
  /** Throws a PlatformError. */
  readonly infraCluster: (facts: PlatformFacts) => InfraClusterWanted;
}

export interface PlatformCredentials {
  readonly secretName: string;
  readonly serviceAccount: string;
  readonly providerSpec: JsonObject;
  readonly cloudTokenPath?: string;
}

export type PlatformReason = 'WaitingOnExternal' | 'InvalidConfiguration' | 'UnsupportedConfiguration';

/** Something that has to come, or that only a person can change. */
export class PlatformError extends ReconcileError<PlatformReason> {
  constructor(reason: PlatformReason, message: string, remedy?: string) {
    const retry = reason === 'WaitingOnExternal' ? 'onChange' : 'never';
    super(reason, message, { retry, ...(remedy !== undefined && { remedy }) });
  }
}

export function infraClusterKind({ kindPrefix }: Platform): string {
  return `${kindPrefix}Cluster`;
}

/** Kinds of a platform by what they are for; their plurals are regular. */
export function platformKinds(platform: Platform): Record<'cluster' | 'machine' | 'template', string> {
  const { kindPrefix } = platform;
  return { cluster: `${kindPrefix}Cluster`, machine: `${kindPrefix}Machine`, template: `${kindPrefix}MachineTemplate` };
}

export function infraApiVersion({ version }: Platform): string {
  return `${infrastructureGroup}/${version}`;
}
