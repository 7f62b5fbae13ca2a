import { numberAt, type ProviderObject, textAt } from './fields.js';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** An endpoint is set if both its host and its port are. */
export function isValidEndpoint(endpoint: Partial<Endpoint> | undefined): endpoint is Endpoint {
  return (endpoint?.host ?? '') !== '' && (endpoint?.port ?? 0) !== 0;
}

/** `host:port`, an IPv6 address in brackets. */
export function formatEndpoint({ host, port }: Endpoint): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Reads the control plane endpoint of a provider object. */
export function readEndpoint(object: ProviderObject): Endpoint | undefined {
  const endpoint = {
    host: textAt(object, 'spec', 'controlPlaneEndpoint', 'host') ?? '',
    port: numberAt(object, 'spec', 'controlPlaneEndpoint', 'port') ?? 0,
  };
  return isValidEndpoint(endpoint) ? endpoint : undefined;
}
