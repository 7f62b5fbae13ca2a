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
}

/** A machine's provider spec in Cluster API: the infra machine, and what stands in the Machine itself. */
export interface InfraMachine {
  readonly spec: JsonObject;
  readonly failureDomain?: string | undefined;
  readonly userDataSecret?: string | undefined;
}

/** Converts provider specs of one platform. */
export interface ProviderConversion {
  readonly platform: string;
  readonly machineKind: string;
  readonly apiVersion: string;
  toCapi(value: JsonObject, facts: ConversionFacts): Converted<InfraMachine>;
  toMapi(machine: InfraMachine, facts: ConversionFacts): Converted<JsonObject>;
}
