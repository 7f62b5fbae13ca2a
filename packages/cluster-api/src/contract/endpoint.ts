import { numberAt, type ProviderObject, textAt } from './fields.js';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** An endpoint is one when both its host and its port are set. */
export function isValidEndpoint(endpoint: Partial<Endpoint> | undefined): endpoint is Endpoint {
  return (endpoint?.host ?? '') !== '' && (endpoint?.port ?? 0) !== 0;
}

/** `host:port`, an IPv6 address in brackets. */
export function formatEndpoint({ host, port }: Endpoint): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Where a provider's object says the control plane is to be reached. */
export function readEndpoint(object: ProviderObject): Endpoint | undefined {
  const endpoint = {
    host: textAt(object, 'spec', 'controlPlaneEndpoint', 'host') ?? '',
    port: numberAt(object, 'spec', 'controlPlaneEndpoint', 'port') ?? 0,
  };
  return isValidEndpoint(endpoint) ? endpoint : undefined;
}
