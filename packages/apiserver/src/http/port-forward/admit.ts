import { badRequest, type Frozen, internalError, type KubeObject, unknownResource } from '@slipway/kube';
import type { HttpResponse } from '@slipway/base';
import type { Registry, ResourceEndpoint } from '../../contract/index.js';
import type { RequestInfo } from '../request-info.js';

export interface AdmittedForward {
  readonly pod: { readonly namespace: string; readonly name: string };
  /** Those that the request names; with SPDY they come later. */
  readonly ports: readonly number[];
}

export interface RefusedForward {
  readonly refusal: HttpResponse;
}

/** The endpoint of pods, if the request is about the ports of one. Nothing else is served in another protocol. */
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
