import { once } from 'node:events';
import { createServer, request } from 'node:https';
import type { Socket } from 'node:net';
import { Scope, systemClock, systemRandom } from '@slipway/base';
import { clusters, labels, machines } from '@slipway/cluster-api';
import { certificateToPem, generatePrivateKey, privateKeyToPem, selfSign, servingTemplate } from '@slipway/pki';
import { type Resource, secrets } from '@slipway/runtime';
import { reachSimulatedGuest } from '@slipway/simulators';
import { haproxyLoadBalancers, vsphereClusters, vsphereMachines, vsphereVms } from '@slipway/vsphere';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RealHaproxy } from './real-haproxy.js';
import { createCluster, createLoadBalancer, createMachine, provisionCluster } from './vcenter-manifests.js';
import { conditionOf, namespace, VCenterEnvironment } from './vcenter-environment.js';

const scope = new Scope();
let environment: VCenterEnvironment;
let haproxy: RealHaproxy;
let identity: { key: string; cert: string };

beforeAll(async () => {
  haproxy = new RealHaproxy();
  scope.defer(() => haproxy.stop());
  environment = await VCenterEnvironment.start({ haproxy: haproxy.run });
  scope.defer(() => environment.stop());
  const key = await generatePrivateKey('ECDSA');
  const certificate = await selfSign(
    { clock: systemClock, random: systemRandom },
    servingTemplate('api', ['api']),
    key,
  );
  identity = { key: privateKeyToPem(key), cert: certificateToPem(certificate) };
});
afterAll(() => scope.dispose());

/** An address of this host that no other test uses. */
const addressOf = (number: number): string => `127.${1 + (process.pid % 250)}.255.${number}`;

/** Simulates the API server of a machine: answers with its name, and reports readiness. */
async function startApiServer(name: string, host: string): Promise<() => void> {
  const sockets = new Set<Socket>();
  const server = createServer(identity, (_incoming, response) => void response.end(name));
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen({ host, port: 6443 });
  await once(server, 'listening');
  const stop = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  scope.defer(stop);
  return stop;
}

/** Returns the response through the load balancer. Undefined if there is none. */
function ask(host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const outgoing = request({ host, port: 6443, path: '/', rejectUnauthorized: false, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', () => resolve(undefined)).on('end', () => resolve(text));
    });
    outgoing.setTimeout(30_000, () => outgoing.destroy());
    outgoing.once('error', () => resolve(undefined)).end();
  });
}

async function untilAnswered(host: string, expected: string): Promise<void> {
  await expect.poll(() => ask(host), { interval: 100 }).toBe(expected);
}

/** Creates a control plane machine as Cluster API does, with a Node. */
async function addControlPlaneMachine(name: string, address: string, hasNode: boolean): Promise<void> {
  await createMachine(environment, name, { cluster: 'prod', labels: { [labels.controlPlane]: '' } });
  await environment.merge(machines, name, { status: statusOf(address, name, hasNode) }, 'status');
}

const statusOf = (address: string, name: string, hasNode: boolean): object => ({
  addresses: [
    { type: 'ExternalIP', address },
    { type: 'InternalDNS', address: name },
  ],
  ...(hasNode && { nodeRef: { name } }),
});

const initialize = () =>
  environment.merge(
    clusters,
    'prod',
    { status: { initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true } } },
    'status',
  );

describe('a load balancer with HAProxy', () => {
  let host: string;

  it('is cloned before all other machines, and provides the endpoint of the cluster', async () => {
    await createCluster(environment, 'prod');
    await createLoadBalancer(environment, 'prod');
    const { status } = await environment.untilOne(
      haproxyLoadBalancers,
      'prod',
      ({ status: now }) => now?.ready === true,
    );
    const { spec } = await environment.untilOne(
      vsphereClusters,
      'prod',
      (one) => one.spec.controlPlaneEndpoint?.host !== undefined,
    );
    host = reachSimulatedGuest(status?.address ?? '');
    expect(spec.controlPlaneEndpoint).toEqual({ host, port: 6443 });
    expect(await environment.machineNames()).toEqual(['prod-lb']);
    await provisionCluster(environment, 'prod');
  });

  it('forwards to the first machine before the control plane is initialized, and later only to machines with a Node', async () => {
    await startApiServer('one', addressOf(1));
    await startApiServer('two', addressOf(2));
    await addControlPlaneMachine('prod-1', addressOf(1), false);
    await untilAnswered(host, 'one');
    await environment.merge(machines, 'prod-1', { status: { nodeRef: { name: 'prod-1' } } }, 'status');
    await initialize();
    await addControlPlaneMachine('prod-2', addressOf(2), false);
    await environment.untilOne(haproxyLoadBalancers, 'prod', (one) => conditionOf(one, 'Ready')?.status === 'True');
    expect(haproxy.checked.at(-1)).not.toContain('prod-2');
  });

  it('forwards to the next machine when the first is deleted', async () => {
    await environment.merge(machines, 'prod-2', { status: { nodeRef: { name: 'prod-2' } } }, 'status');
    await expect.poll(() => haproxy.checked.at(-1)).toMatch(/server prod-1-0 .*\n.*server prod-2-0/);
    // HAProxy validates a configuration before the new process replaces the old one.
    await untilAnswered(host, 'one');
    await environment.merge(machines, 'prod-1', { metadata: { finalizers: ['test/held'] } });
    await environment.client.delete(machines, { namespace, name: 'prod-1' });
    await untilAnswered(host, 'two');
    expect(haproxy.checked.at(-1)).toMatch(/server prod-1-0 .* weight 0\n.*server prod-2-0 .* weight 1/);
    await environment.merge(machines, 'prod-1', { metadata: { finalizers: null } });
    await expect.poll(() => haproxy.checked.at(-1)).not.toContain('prod-1');
    await untilAnswered(host, 'two');
  });

  it('stores its password in Secrets', async () => {
    const read = async (name: string, key: string): Promise<string> => {
      const { data } = await environment
        .get(secrets as Resource<never>, name)
        .then((secret) => secret as { data?: object });
      return Buffer.from((data as Record<string, string>)[key] ?? '', 'base64').toString();
    };
    const password = await read('prod-haproxy-ca', 'password');
    expect(password).toMatch(/^[0-9a-f-]{36}$/);
    expect(await read('prod-haproxy-config', 'password')).toBe(password);
    expect(await read('prod-haproxy-bootstrap', 'value')).toContain(password);
    const reported = [haproxyLoadBalancers, vsphereVms, vsphereClusters, machines] as readonly Resource[];
    for (const resource of reported) expect(JSON.stringify(await environment.list(resource))).not.toContain(password);
  });

  it('is deleted with all its objects after the machines of its cluster and before the credentials', async () => {
    await environment.client.delete(vsphereClusters, { namespace, name: 'prod' });
    await environment.untilOne(
      vsphereClusters,
      'prod',
      (one) => conditionOf(one, 'VCenterAvailable')?.reason === 'Deleting',
    );
    expect(await environment.machineNames()).toContain('prod-lb');
    await environment.client.delete(vsphereMachines, { namespace, name: 'prod-2' });
    await environment.untilNone(vsphereClusters, 'prod');
    await environment.untilNone(haproxyLoadBalancers, 'prod');
    expect(await environment.machineNames()).toEqual([]);
    const left = (await environment.list(secrets)).map(({ metadata }) => metadata.name ?? '');
    expect(left.filter((name) => name.startsWith('prod-haproxy') || name === 'prod')).toEqual([]);
  });
});
