import { operatorNamespace } from '@slipway/drivers';
import { nodes, pods } from '@slipway/runtime';
import { startHttpsServer } from '@slipway/testing/servers';
import { expect, it } from 'vitest';
import { startRealKubeApiserver } from '../support/real-kube-apiserver.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { driverStories } from './driver-stories.js';
import type { StoryEnvironment } from './story-environment.js';
import { installedSlipway } from '../../packages/cli/test/support/installed.js';

driverStories(
  'on kube-apiserver and etcd',
  () => startRealKubeApiserver(),
  (story) => {
    const logs = (...args: readonly string[]): Promise<CommandResult> =>
      runCommand(process.execPath, [installedSlipway, 'drivers', 'logs', ...args], {
        env: { KUBECONFIG: story().on.server.kubeconfigFile },
      });

    it('`slipway drivers logs` reports that no Pod exists, and rejects an invalid number of lines', async () => {
      const none = await logs();
      expect(none).toMatchObject({ code: 3, stdout: '' });
      expect(none.stderr).toContain('no operator pod found');
      expect(await logs('--tail', 'all')).toMatchObject({ code: 2, stdout: '' });
    });

    it('`slipway drivers logs` prints the logs of the operator Pods', async () => {
      // Simulates the log endpoint of a kubelet.
      const kubelet = await startHttpsServer((request, response) => {
        const { pathname, searchParams } = new URL(request.url ?? '', 'https://kubelet');
        const isKnown = pathname === `/containerLogs/${operatorNamespace}/vdo-1/manager`;
        response.writeHead(isKnown ? 200 : 404).end(`the last ${searchParams.get('tailLines') ?? 'none'} lines\n`);
      });
      try {
        await addPod(story(), Number(kubelet.host.split(':')[1]));
        expect(await logs()).toMatchObject({ code: 0, stdout: 'the last 200 lines\n', stderr: '' });
        expect(await logs('--tail', '3')).toMatchObject({ code: 0, stdout: 'the last 3 lines\n' });
      } finally {
        await kubelet.stop();
      }
    });
  },
);

async function addPod({ client, environment }: StoryEnvironment, kubeletPort: number): Promise<void> {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'with-kubelet' } } as const;
  await client.create(nodes, node);
  await environment.setStatus(
    nodes,
    { namespace: '', name: 'with-kubelet' },
    {
      addresses: [{ type: 'Hostname', address: 'localhost' }],
      daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
    },
  );
  const metadata = {
    name: 'vdo-1',
    namespace: operatorNamespace,
    labels: { 'control-plane': 'controller-manager' },
  };
  const containers = [{ name: 'manager', image: 'manager' }];
  await client.create(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: { nodeName: 'with-kubelet', containers, automountServiceAccountToken: false } as never,
  });
}
