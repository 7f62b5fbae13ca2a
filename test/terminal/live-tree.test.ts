import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { peerBinary } from '../support/peer-process.js';
import { runCommand } from '../support/run-command.js';
import { ensureTmux, openTerminal, type Terminal } from '../support/tmux.js';
import { installedSlipway } from '../../packages/cli/test/support/installed.js';

const slipway = `${process.execPath} ${installedSlipway}`;
const folder = mkdtempSync(join(tmpdir(), 'slipway-terminal-'));
const open: Terminal[] = [];

function terminal(name: string, columns: number, rows: number, command: string): Terminal {
  const opened = openTerminal(name, columns, rows, command);
  open.push(opened);
  return opened;
}

beforeAll(() => ensureTmux());
afterAll(() => {
  for (const one of open.toReversed()) one.stop();
  // The process may still write until it has exited.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

describe('the live tree in a real terminal', () => {
  it('is drawn by the quick start until the cluster is available', async () => {
    const plane = terminal('plane', 140, 50, `${slipway} up --quick-start --port 0 --data-dir ${folder}`);
    const last = await plane.until('the cluster is available', (screen) => screen.includes('get nodes'));
    // The tree is redrawn in place: only the last one remains.
    expect(last.match(/^NAME /gm)).toHaveLength(1);
    // The tree was displayed and grew while the cluster was created.
    await expect.poll(() => plane.drawn()).toMatch(/(NotAvailable|0\/1)[^]*└─Workers/);
    // A cluster may be Available shortly before all its machines are counted as ready.
    expect(last).toMatch(/Cluster default\/quick-start +\d\/3 .*True/);
    expect(plane.colours()).toContain('\u001B[32mTrue');
  });

  it('is updated by describe --watch, fits the terminal, and stopping it does not stop the creation', async () => {
    const flags = `cluster quick-start --watch --kubeconfig ${join(folder, 'admin.conf')}`;
    const watching = terminal('watch', 80, 40, `${slipway} describe ${flags}`);
    await watching.until('the tree', (screen) => /2 Machines\.\.\. +2\/2 +True/.test(screen));
    const env = { KUBECONFIG: join(folder, 'admin.conf') };
    const scale = ['scale', 'machinedeployment', 'quick-start-workers', '--replicas', '4'];
    expect(await runCommand(peerBinary('kubectl'), scale, { env })).toMatchObject({ code: 0 });
    const grown = await watching.until('four workers', (screen) => /4 Machines\.\.\. +4\/4 +True/.test(screen));
    expect(grown.match(/^NAME /gm)).toHaveLength(1);
    watching.resize(200, 40);
    await watching.until('the columns of clusterctl', (screen) => /UP TO DATE +STATUS +REASON/.test(screen));
    watching.type('C-c');
    expect(await watching.ended()).toBe(0);
    const after = await runCommand(peerBinary('kubectl'), ['get', 'machines', '-o', 'name'], { env });
    expect(after.stdout.trim().split('\n')).toHaveLength(5);
    expect(JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))).toHaveProperty('pid');
  });

  it('apply --plan prompts, and Ctrl-C stops watching but not the creation', async () => {
    const manifest = join(folder, 'slow-workers.yaml');
    writeFileSync(manifest, slowWorkers);
    const flags = `--plan -f ${manifest} --kubeconfig ${join(folder, 'admin.conf')}`;
    const applying = terminal('apply', 100, 40, `${slipway} apply ${flags}`);
    await applying.until('the plan and a question', (screen) => /slow/.test(screen) && screen.includes('?'));
    applying.type('y');
    applying.type('Enter');
    const env = { KUBECONFIG: join(folder, 'admin.conf') };
    await applying.until('what happens', (screen) => /Following|created|Machine/.test(screen.split('?').at(-1) ?? ''));
    applying.type('C-c');
    await applying.until('how to go on', (screen) => screen.includes('Interrupted: the changes continue.'));
    expect(await applying.ended()).toBe(130);
    const slow = ['get', 'machines', '-l', 'cluster.x-k8s.io/deployment-name=slow', '-o', 'name'];
    await expect
      .poll(async () => (await runCommand(peerBinary('kubectl'), slow, { env })).stdout)
      .toMatch(/^machine\.cluster\.x-k8s\.io\/slow-\S+\n$/);
  });
});

const slowWorkers = `
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: DevMachineTemplate
metadata: { name: slow, namespace: default }
spec:
  template:
    spec:
      backend: { inMemory: { vm: { provisioning: { startupDuration: 10m } } } }
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: { name: slow, namespace: default }
spec:
  clusterName: quick-start
  replicas: 1
  selector: { matchLabels: {} }
  template:
    spec:
      clusterName: quick-start
      version: v1.35.0
      bootstrap:
        configRef: { apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfigTemplate, name: quick-start }
      infrastructureRef: { apiGroup: infrastructure.cluster.x-k8s.io, kind: DevMachineTemplate, name: slow }
`;
