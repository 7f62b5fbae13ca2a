import { fileURLToPath } from 'node:url';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { documentedCommands } from '../../scripts/documented-commands/documented-commands.js';
import { defineCertManager, openWorkbench, succeeded, type Workbench } from '../clusterctl/workbench.js';
import { peerBinary } from '../support/peer-process.js';
import { type RealKubeApiserver, startRealKubeApiserver } from '../support/real-kube-apiserver.js';
import { runCommand } from '../support/run-command.js';
import { ensureRelease } from './release-files.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
let server: RealKubeApiserver;
let workbench: Workbench;
beforeAll(async () => {
  ensureRelease();
  server = await startRealKubeApiserver();
  workbench = await openWorkbench(server.kubeconfigFile);
  await defineCertManager(workbench);
});
afterAll(async () => {
  workbench?.dispose();
  await server?.stop();
});

it('the provider folders of the release are installed by stock clusterctl, as documented', async () => {
  const commands = documentedCommands()
    .filter(({ page, command }) => page === 'docs/reference/releases.md' && command.includes('SLIPWAY_RELEASE'))
    .map(({ command }) => command);
  expect(commands).toHaveLength(2);
  const env = {
    HOME: workbench.folder,
    PATH: `${dirname(peerBinary('clusterctl'))}:${process.env['PATH'] ?? ''}`,
    KUBECONFIG: server.kubeconfigFile,
    CLUSTERCTL_DISABLE_VERSIONCHECK: 'true',
  };
  const script = `set -e; cd '${root}'; ${commands.join('; ')}`;
  succeeded(await runCommand('sh', ['-c', script], { env }));
  const installed = await workbench.kubectl(['get', 'providers', '-A', '-o', 'jsonpath={.items[*].metadata.name}']);
  expect(installed.split(' ').sort()).toEqual([
    'bootstrap-kubeadm',
    'cluster-api',
    'control-plane-kubeadm',
    'infrastructure-dev',
  ]);
}, 240_000);
