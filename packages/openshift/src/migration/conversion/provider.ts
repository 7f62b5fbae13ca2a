import type { JsonObject } from '@slipway/kube';
import type { Converted } from './conversion.js';

/** Inputs of a conversion besides the object. */
export interface ConversionFacts {
  readonly infraName: string;
  /** Region of the cluster, which Cluster API machines do not contain. */
  readonly region?: string | undefined;
  readonly providerId?: string | undefined;
  readonly isDualStack?: boolean;
  readonly primaryFamily?: 'IPv4' | 'IPv6';
  /** Whether the role of the machine is control plane. */
  readonly isControlPlane?: boolean;
  /** Load balancers of the cluster in Machine API form, the internal one first. */
  readonly loadBalancers?: readonly { readonly name: string; readonly type: string }[];
}

/** A converted provider spec: the infrastructure machine, and fields of the Machine. */
export interface InfraMachine {
  readonly spec: JsonObject;
  readonly failureDomain?: string | undefined;
  readonly userDataSecret?: string | undefined;
}

/** Machine API fields of an instance. */
export interface MapiInstance {
  readonly phase: string | undefined;
  readonly addresses: readonly { readonly type: string; readonly address: string }[];
  readonly providerStatus: JsonObject;
  /** The providerSpec. */
  readonly value: JsonObject;
}

/** Labels and an annotation in which Machine API reports the instance. Empty values are omitted. */
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
  /** Returns the status of the infrastructure machine, without conditions. */
  statusToCapi(instance: MapiInstance): JsonObject;
  /** Returns the providerStatus from the spec and status of the infrastructure machine. */
  statusToMapi(spec: JsonObject, status: JsonObject): JsonObject;
  reported(spec: JsonObject, status: JsonObject, place: InfraMachine, facts: ConversionFacts): ReportedMetadata;
}
