import { badRequest, type Frozen, internalError, type KubeObject, unknownResource } from '@slipway/kube';
import type { HttpResponse } from '@slipway/base';
import type { Registry, ResourceEndpoint } from '../../contract/index.js';
import type { RequestInfo } from '../request-info.js';

export interface AdmittedForward {
  readonly pod: { readonly namespace: string; readonly name: string };
  /** Ports that the request names. SPDY clients name the port of each stream later instead. */
  readonly ports: readonly number[];
  /** Called when the connection ends, for the audit log. */
  readonly ended: () => void;
}

export interface RefusedForward {
  readonly refusal: HttpResponse;
}

/** Returns the pods endpoint for a port-forward request. Throws for any other upgrade, because none is supported. */
export function forwardEndpoint(registry: Registry, info: RequestInfo): ResourceEndpoint {
  const { group, version, resource, subresource, name, extra } = info;
  const endpoint = registry.endpoint(group, version, resource);
  const isForward = group === '' && resource === 'pods' && subresource === 'portforward' && name !== '' && !extra;
  if (endpoint === undefined || !isForward) throw unknownResource();
  return endpoint;
}

export function checkForward(pod: Frozen<KubeObject>, hasForwarder: boolean): void {
  const { nodeName } = (pod.spec ?? {}) as { readonly nodeName?: string };
  if (nodeName === undefined || nodeName === '')
    throw badRequest(`pod ${pod.metadata.name ?? ''} does not have a host assigned`);
  if (!hasForwarder)
    throw internalError(`error dialing backend: no kubelet of node ${nodeName} is known to this server`);
}

const portMax = 65_535;

export function portsOf(texts: readonly string[]): readonly number[] {
  return texts
    .flatMap((text) => text.split(','))
    .map((text) => {
      const port = Number(text);
      if (!Number.isInteger(port) || port < 1 || port > portMax) throw badRequest(`invalid port "${text}"`);
      return port;
    });
}
