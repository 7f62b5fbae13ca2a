import { seededRandom } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { createIn, rowOf, testContext, updateIn } from '../test-support.js';
import { ServiceNetwork } from './service-network.js';
import { services } from './service.js';

function setup(clusterRange = '10.96.0.0/24', nodePorts = { first: 30_000, last: 30_002 }) {
  const stored: KubeObject[] = [];
  const random = seededRandom(1);
  const network = new ServiceNetwork({
    clusterRange,
    nodePorts,
    random,
    services: () => stored as Frozen<KubeObject>[],
  });
  return { stored, network, definition: services(network) };
}

const ports = [{ port: 80 }];

describe('Service', () => {
  it('gets a cluster IP, IP families and port defaults', async () => {
    const { definition } = setup();
    const { object, errors } = await createIn(definition, { spec: { ports, selector: { app: 'web' } } });
    expect(errors).toEqual([]);
    expect(object.spec).toEqual({
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      selector: { app: 'web' },
      clusterIP: expect.stringMatching(/^10\.96\.0\./) as unknown,
      clusterIPs: [expect.stringMatching(/^10\.96\.0\./)] as unknown,
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    });
    expect(object.status).toEqual({ loadBalancer: {} });
  });

  it('has no cluster IP if it is headless', async () => {
    const { definition } = setup();
    const { object, errors } = await createIn(definition, { spec: { clusterIP: 'None' } });
    expect([errors, object.spec]).toMatchObject([[], { clusterIP: 'None', clusterIPs: ['None'] }]);
  });

  it('does not allocate an address twice, nor one of a stored service', async () => {
    const { definition, stored } = setup('10.96.0.0/29');
    const seen = new Set<unknown>();
    for (let count = 0; count < 5; count += 1) {
      const { object } = await createIn(definition, {
        metadata: { name: `s${count}`, namespace: 'a', uid: `${count}` },
        spec: { ports },
      });
      stored.push(object);
      seen.add((object.spec as { clusterIP: string }).clusterIP);
    }
    expect(seen.size).toBe(5);
    expect(seen.has('10.96.0.1')).toBe(false);
    await expect(createIn(definition, { spec: { ports } })).rejects.toThrow(
      'failed to allocate a serviceIP: range is full',
    );
  });

  it('treats addresses of stored services as in use after a restart', async () => {
    const before = setup();
    const { object } = await createIn(before.definition, { spec: { ports } });
    const after = setup();
    after.stored.push(object);
    const { clusterIP } = object.spec as { clusterIP: string };
    await expect(
      createIn(after.definition, { metadata: { name: 'y', namespace: 'a', uid: 'u2' }, spec: { ports, clusterIP } }),
    ).rejects.toThrow(
      `Service "y" is invalid: spec.clusterIPs: Invalid value: ["${clusterIP}"]: failed to allocate IP ${clusterIP}: provided IP is already allocated`,
    );
  });

  it('reserves addresses of pending writes and releases those of failed ones', async () => {
    const { definition } = setup();
    const spec = { ports, clusterIP: '10.96.0.9' };
    const { object } = await createIn(definition, { spec });
    await expect(createIn(definition, { spec })).rejects.toThrow('provided IP is already allocated');
    definition.strategy.release?.(object as Frozen<KubeObject>);
    expect((await createIn(definition, { spec })).errors).toEqual([]);
  });

  it('reserves nothing on a dry run', async () => {
    const { definition } = setup();
    const spec = { ports, clusterIP: '10.96.0.9' };
    await createIn(definition, { spec }, { ...testContext, dryRun: true });
    expect((await createIn(definition, { spec })).errors).toEqual([]);
  });

  it('rejects addresses and node ports outside the range', async () => {
    const { definition } = setup();
    const fields = { spec: { type: 'NodePort', clusterIP: '10.1.0.1', ports: [{ port: 80, nodePort: 80 }] } };
    await expect(createIn(definition, fields)).rejects.toThrow(
      'Service "x" is invalid: [spec.clusterIPs: Invalid value: ["10.1.0.1"]: failed to allocate IP 10.1.0.1: the provided IP (10.1.0.1) is not in the valid range. The range of valid IPs is 10.96.0.0/24, spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-30002]',
    );
  });

  it('gets node ports until the range is exhausted', async () => {
    const { definition, stored } = setup();
    const two = [
      { name: 'a', port: 80 },
      { name: 'b', port: 81 },
    ];
    const { object } = await createIn(definition, { spec: { type: 'NodePort', ports: two } });
    stored.push(object);
    const given = (object.spec as { ports: { nodePort: number }[] }).ports.map(({ nodePort }) => nodePort);
    expect(new Set(given).size).toBe(2);
    await expect(
      createIn(definition, {
        metadata: { name: 'y', namespace: 'a', uid: 'u2' },
        spec: { type: 'NodePort', ports: two },
      }),
    ).rejects.toThrow('failed to allocate a nodePort: range is full');
  });

  it('keeps allocated values that an update does not set', async () => {
    const { definition, stored } = setup();
    const { object } = await createIn(definition, { spec: { type: 'NodePort', ports } });
    stored.push(object);
    const { object: next, errors } = await updateIn(definition, object, { spec: { type: 'NodePort', ports } });
    expect([errors, next.spec]).toEqual([[], object.spec]);
    const plain = await updateIn(definition, object, { spec: { ...(object.spec as object), type: 'ClusterIP' } });
    expect(plain.errors).toEqual([]);
    expect(plain.object.spec).toMatchObject({ ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] });
    expect(JSON.stringify(plain.object.spec)).not.toContain('nodePort');
  });

  it('rejects changes of clusterIP', async () => {
    const { definition, stored } = setup();
    const { object } = await createIn(definition, { spec: { ports, clusterIP: '10.96.0.7' } });
    stored.push(object);
    const spec = { ...(object.spec as object), clusterIP: '10.96.0.8', clusterIPs: ['10.96.0.8'] };
    expect((await updateIn(definition, object, { spec })).errors).toEqual([
      'spec.clusterIPs[0]: Invalid value: ["10.96.0.8"]: may not change once set',
    ]);
  });

  it.each([
    { name: 'missing ports', spec: {}, errors: ['spec.ports: Required value'] },
    {
      name: 'unnamed ports',
      spec: { ports: [{ port: 80 }, { port: 80 }] },
      errors: [
        'spec.ports[0].name: Required value',
        'spec.ports[1].name: Required value',
        'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
      ],
    },
    {
      name: 'a node port on a ClusterIP service',
      spec: { ports: [{ port: 80, nodePort: 30000 }] },
      errors: ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    },
    {
      name: 'an unknown type',
      spec: { type: 'Magic', ports },
      errors: [
        'spec.type: Unsupported value: "Magic": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
    },
    { name: 'a missing external name', spec: { type: 'ExternalName' }, errors: ['spec.externalName: Required value'] },
  ])('rejects $name', async ({ spec, errors }) => {
    expect((await createIn(setup().definition, { spec })).errors).toEqual(errors);
  });

  it('prints addresses and ports', () => {
    const service = {
      metadata: { name: 's' },
      spec: { type: 'LoadBalancer', clusterIP: '10.96.0.1', ports: [{ port: 443, nodePort: 30001, protocol: 'TCP' }] },
      status: {},
    };
    expect(rowOf(setup().definition, service)).toMatchObject({
      'Cluster-IP': '10.96.0.1',
      'External-IP': '<pending>',
      'Port(s)': '443:30001/TCP',
      Selector: '<none>',
    });
  });
});
