import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Scope, systemClock, systemRandom } from '@slipway/base';
import { GivenEndpoint, kvmClusters, kvmMachines, ServiceEndpoint } from '@slipway/kvm';
import { ifPresent, pods, secrets, services } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HaproxyBalancers, HaproxyEndpoint } from '../../../packages/kvm/src/endpoint/index.js';
import { HostingClusters, PodMachines, podSettingsDefault } from '../../../packages/kvm/src/pod/index.js';
import { FakeService } from '../../../packages/kvm/test/support/fake-service.js';
import { conditionOf, keyOf, KVMPlane, namespace } from '../../../packages/kvm/test/support/kvm-plane.js';
import type { Management } from '../../clusters/management.js';
import { freePorts } from '../../support/peer-process.js';

const timeoutMs = 240_000;

/** Tests a separate management plane whose machines and endpoints are in the given Kubernetes cluster. */
export function hostedElsewhere(managementOf: () => Management): void {
  describe('a plane whose machines run in another cluster', () => {
    const scope = new Scope();
    const fake = new FakeService();
    let plane: KVMPlane;
    let server: URL;
    let balancers: string;

    beforeAll(async () => {
      const hosting = new HostingClusters({ clock: systemClock, random: systemRandom });
      scope.add(hosting);
      balancers = mkdtempSync(join(tmpdir(), 'hp-'));
      scope.defer(() => rmSync(balancers, { recursive: true, force: true }));
      plane = await KVMPlane.start({
        services: [fake, new PodMachines(hosting, { ...podSettingsDefault, launcherImage: 'vmm:test' })],
        endpoints: [
          new GivenEndpoint(),
          new HaproxyEndpoint(new HaproxyBalancers({ directory: balancers, clock: systemClock })),
          new ServiceEndpoint(hosting),
        ],
        hosting,
      });
      server = new URL(kubeconfigIn(managementOf()).clusters[0].cluster.server);
    }, timeoutMs);
    afterAll(async () => {
      await plane?.stop();
      await scope.dispose();
    });

    const keepKubeconfig = (name: string, kubeconfig: string): Promise<unknown> =>
      plane.client.create(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: keyOf(name),
        data: { value: Buffer.from(kubeconfig).toString('base64') },
      });

    it('runs Pods there, reads their status from there, and leaves nothing behind', async () => {
      const management = managementOf();
      const { client } = management;
      await keepKubeconfig('there', readFileSync(management.kubeconfig, 'utf8'));
      await plane.createCluster('away', { backend: 'pod', infraClusterSecretRef: { name: 'there' } });
      const { spec } = await plane.provisionCluster('away');
      const service = await client.get(services, keyOf('away-control-plane'));
      expect(spec?.controlPlaneEndpoint).toEqual({ host: service.spec?.clusterIP, port: 6443 });
      await plane.createMachine('away-1', { cluster: 'away' });
      const pod = await management.until('a pod there', pods, (view) => view.get(keyOf('away-1')), timeoutMs);
      expect(await ifPresent(plane.client.get(pods, keyOf('away-1')))).toBeUndefined();
      const status = {
        phase: 'Running',
        podIP: '10.1.0.5',
        podIPs: [{ ip: '10.1.0.5' }],
        containerStatuses: [
          {
            name: 'vmm',
            ready: true,
            restartCount: 0,
            image: 'vmm',
            imageID: 'vmm',
            state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
          },
        ],
      };
      const played = { type: 'merge' as const, patch: { status } };
      await client.patch(pods, keyOf('away-1'), played, { subresource: 'status' });
      const machine = await plane.untilMachine(
        'away-1',
        (one) => one.status?.initialization?.provisioned === true,
        timeoutMs,
      );
      expect(machine.status?.vm?.pod).toBe(pod.metadata.name);
      await plane.client.delete(kvmMachines, keyOf('away-1'));
      await plane.untilGone(kvmMachines, keyOf('away-1'), timeoutMs);
      expect(await ifPresent(client.get(pods, keyOf('away-1')))).toBeUndefined();
      await plane.client.delete(kvmClusters, keyOf('away'));
      await plane.untilGone(kvmClusters, keyOf('away'), timeoutMs);
      expect(await ifPresent(client.get(services, keyOf('away-control-plane')))).toBeUndefined();
    }, 600_000);

    it('reports an unreachable cluster, and does not report its machines as lost', async () => {
      const [port = 0] = await freePorts(1);
      const kubeconfig = readFileSync(managementOf().kubeconfig, 'utf8');
      await keepKubeconfig('nowhere', kubeconfig.replace(server.host, `127.0.0.1:${port}`));
      await plane.createCluster('lonely', { backend: 'pod', infraClusterSecretRef: { name: 'nowhere' } });
      const reported = await plane.until(
        kvmClusters,
        keyOf('lonely'),
        (one) => conditionOf(one, 'ControlPlaneEndpointReady')?.reason === 'HostUnreachable',
        timeoutMs,
      );
      expect(conditionOf(reported, 'ControlPlaneEndpointReady')?.message).toBe(
        `the cluster that runs the pods (kubeconfig in Secret ${namespace}/nowhere) is not reachable`,
      );
      expect(reported.status?.initialization).toBeUndefined();
    }, 300_000);

    it('forwards to the API server of the machine with HAProxy, which is deleted with the cluster', async () => {
      fake.report = { vm: { apiServer: { host: server.hostname, port: Number(server.port) } } };
      const bindAddress = '127.0.0.1';
      await plane.createCluster('front', { backend: 'local', controlPlaneExposure: { type: 'HAProxy', bindAddress } });
      const { spec } = await plane.provisionCluster('front');
      const { host = '', port = 0 } = spec?.controlPlaneEndpoint ?? {};
      expect({ host, isHigh: port >= 6443 }).toEqual({ host: bindAddress, isHigh: true });
      await plane.createMachine('front-1', { cluster: 'front', controlPlane: true });
      await plane.waitForMachine('front-1', 'LoadBalancerAttached', 'Attached', timeoutMs);
      const reported = await plane.until(
        kvmClusters,
        keyOf('front'),
        (one) => conditionOf(one, 'ControlPlaneEndpointReady')?.status === 'True',
        timeoutMs,
      );
      expect(conditionOf(reported, 'LoadBalancerReady')?.status).toBe('True');
      await expect.poll(() => versionAt(host, port), { timeout: timeoutMs, interval: 200 }).toMatch(/^v1\.36\./);
      await plane.client.delete(kvmMachines, keyOf('front-1'));
      await plane.untilGone(kvmMachines, keyOf('front-1'), timeoutMs);
      // Count distinct objects, independent of the number of requests.
      expect(new Set(fake.removed).size).toBe(1);
      await plane.client.delete(kvmClusters, keyOf('front'));
      await plane.untilGone(kvmClusters, keyOf('front'), timeoutMs);
      expect(readdirSync(balancers)).toEqual([]);
      expect(await versionAt(host, port)).toBe('ECONNREFUSED');
    }, 600_000);
  });
}

function kubeconfigIn({ kubeconfig }: Management): { clusters: [{ cluster: { server: string } }] } {
  return JSON.parse(readFileSync(kubeconfig, 'utf8')) as ReturnType<typeof kubeconfigIn>;
}

/** Returns the version of an API server, without verifying its certificate, or the connection error. */
function versionAt(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const outgoing = request({ host, port, path: '/version', rejectUnauthorized: false, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('error', (error) => resolve(error.message));
      response.once('end', () => resolve(/"gitVersion": *"([^"]*)"/.exec(text)?.[1] ?? text));
    });
    outgoing.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    outgoing.end();
  });
}
