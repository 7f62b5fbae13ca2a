import type { JsonObject } from '@slipway/kube';
import type { Converted } from './conversion.js';

/** What both directions have to know beside the object itself. */
export interface ConversionFacts {
  readonly infraName: string;
  /** Of the cluster, which machines of Cluster API do not say themselves. */
  readonly region?: string | undefined;
  readonly providerId?: string | undefined;
  readonly isDualStack?: boolean;
  readonly primaryFamily?: 'IPv4' | 'IPv6';
  /** The machine is one of the control plane, as its role says. */
  readonly isControlPlane?: boolean;
  /** Those of the cluster, the internal one first, in the form of Machine API. */
  readonly loadBalancers?: readonly { readonly name: string; readonly type: string }[];
}

/** A machine's provider spec in Cluster API: the infra machine, and what stands in the Machine itself. */
export interface InfraMachine {
  readonly spec: JsonObject;
  readonly failureDomain?: string | undefined;
  readonly userDataSecret?: string | undefined;
}

/** What Machine API says of an instance beside its spec. */
export interface MapiInstance {
  readonly phase: string | undefined;
  readonly addresses: readonly { readonly type: string; readonly address: string }[];
  readonly providerStatus: JsonObject;
  /** The providerSpec. */
  readonly value: JsonObject;
}

/** Labels and an annotation by which Machine API shows what an instance is; empty ones are left out. */
export interface ReportedMetadata {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Converts provider specs of one platform. */
export interface ProviderConversion {
  readonly platform: string;
  readonly machineKind: string;
  readonly apiVersion: string;
  toCapi(value: JsonObject, facts: ConversionFacts): Converted<InfraMachine>;
  toMapi(machine: InfraMachine, facts: ConversionFacts): Converted<JsonObject>;
  /** The status of the infra machine, its conditions apart. */
  statusToCapi(instance: MapiInstance): JsonObject;
  /** The providerStatus, from the spec and the status of the infra machine. */
  statusToMapi(spec: JsonObject, status: JsonObject): JsonObject;
  reported(spec: JsonObject, status: JsonObject, place: InfraMachine, facts: ConversionFacts): ReportedMetadata;
}
