import { numberAt, type ProviderObject, textAt } from './fields.js';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Whether both the host and the port of an endpoint are set. */
export function isValidEndpoint(endpoint: Partial<Endpoint> | undefined): endpoint is Endpoint {
  return (endpoint?.host ?? '') !== '' && (endpoint?.port ?? 0) !== 0;
}

/** Returns `host:port`, with brackets around an IPv6 address. */
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
