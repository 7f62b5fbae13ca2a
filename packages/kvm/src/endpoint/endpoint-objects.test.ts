import { describe, expect, it } from 'vitest';
import type { EndpointMember } from '../cluster/endpoint-service.js';
import { endpointNames, endpointSliceOf, ingressOf, publicNameOf, serviceOf, tlsRouteOf } from './endpoint-objects.js';

const names = endpointNames({ metadata: { name: 'abc', namespace: 'abc' } }, 'abc');
const kvmMachine: EndpointMember['kvmMachine'] = {
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'KVMMachine',
  metadata: { name: 'm' },
};
const member = (name: string, host: string, isLeaving = false): EndpointMember => ({
  name,
  kvmMachine,
  host,
  port: 6443,
  isLeaving,
});

describe('the objects of an endpoint', () => {
  it('uses control-plane.<cluster>.svc in a dedicated namespace, and another name in a shared one', () => {
    expect(names.service).toBe('control-plane');
    expect(endpointNames({ metadata: { name: 'abc-x', namespace: 'fleet' } }, 'abc').service).toBe('abc-control-plane');
  });

  it('selects the pods of the control plane, and has no selector for local machines', () => {
    expect(serviceOf(names, {}, 6443, true).spec).toEqual({
      type: 'ClusterIP',
      ports: [{ name: 'api', protocol: 'TCP', port: 6443, targetPort: 6443 }],
      selector: { 'cluster.x-k8s.io/cluster-name': 'abc', 'cluster.x-k8s.io/control-plane': '' },
    });
    expect(serviceOf(names, {}, 6443, false).spec?.selector).toBeUndefined();
  });

  it('exposes etcd only if requested', () => {
    const ports = serviceOf(names, { exposeEtcd: true }, 6443, true).spec?.ports ?? [];
    expect(ports.map(({ name, port }) => [name, port])).toEqual([
      ['api', 6443],
      ['etcd', 2379],
    ]);
  });

  it('reports for each machine whether it accepts connections, under the port name of the Service', () => {
    const slice = endpointSliceOf(names, [member('a', '172.30.0.11'), member('b', '172.30.0.12', true)]);
    expect(slice.metadata.labels).toMatchObject({
      'kubernetes.io/service-name': 'control-plane',
      'endpointslice.kubernetes.io/managed-by': 'capk',
    });
    expect(slice).toMatchObject({ addressType: 'IPv4', ports: [{ name: 'api', port: 6443, protocol: 'TCP' }] });
    expect(slice.endpoints.map(({ conditions }) => conditions)).toEqual([
      { ready: true, serving: true, terminating: false },
      { ready: false, serving: true, terminating: true },
    ]);
  });

  it('passes TLS through by server name [kvm 35]', () => {
    const host = publicNameOf('abc', 'g8s.example.com');
    expect(host).toBe('abc.k8s.g8s.example.com');
    const ingress = ingressOf(names, { ingressClassName: 'nginx' }, host, 6443);
    expect(ingress.metadata.annotations).toMatchObject({ 'nginx.ingress.kubernetes.io/ssl-passthrough': 'true' });
    expect(ingress.spec).toMatchObject({ ingressClassName: 'nginx', rules: [{ host }] });
    const route = tlsRouteOf(names, { gatewayRef: { name: 'edge', namespace: 'gateways' } }, host, 6443);
    expect(route.spec).toEqual({
      parentRefs: [{ name: 'edge', namespace: 'gateways' }],
      hostnames: [host],
      rules: [{ backendRefs: [{ name: 'control-plane', port: 6443 }] }],
    });
  });
});
