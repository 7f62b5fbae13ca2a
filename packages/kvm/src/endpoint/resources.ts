import type { KubeObject, ObjectMeta } from '@slipway/kube';
import type { Resource } from '@slipway/runtime';

type Of<ApiVersion extends string, Kind extends string, Fields extends object> = KubeObject & {
  apiVersion: ApiVersion;
  kind: Kind;
  metadata: ObjectMeta;
} & Fields;

export type EndpointSlice = Of<
  'discovery.k8s.io/v1',
  'EndpointSlice',
  {
    addressType: 'IPv4' | 'IPv6';
    ports: { name: string; port: number; protocol: string }[];
    endpoints: {
      addresses: string[];
      conditions: { ready: boolean; serving: boolean; terminating: boolean };
    }[];
  }
>;
export const endpointSlices: Resource<EndpointSlice> = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
};

export type Ingress = Of<'networking.k8s.io/v1', 'Ingress', { spec: Record<string, unknown> }>;
export const ingresses: Resource<Ingress> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  plural: 'ingresses',
  namespaced: true,
};

export type TlsRoute = Of<string, 'TLSRoute', { spec: Record<string, unknown> }>;
/**
 * TLSRoutes in each API version, newest first. Which of them a cluster serves depends on its Gateway API; the used fields are the
 * same in all.
 */
export const tlsRoutes: readonly Resource<TlsRoute>[] = ['v1', 'v1alpha3', 'v1alpha2'].map((version) => ({
  group: 'gateway.networking.k8s.io',
  version,
  kind: 'TLSRoute',
  plural: 'tlsroutes',
  namespaced: true,
}));
