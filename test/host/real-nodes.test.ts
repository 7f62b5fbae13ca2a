import { basename } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  answerOfPod,
  clusterIsAvailable,
  controlPlaneBoots,
  controlPlaneMachines,
  deleteCluster,
  etcdMembers,
  expectNodes,
  killAndRestart,
} from './support/cluster-checks.js';
import { realNodes } from '../../scripts/documented-commands/real-nodes.js';
import { operatorPod } from './support/manifests.js';
import { RealHost } from './support/real-host.js';
import { needsRealNodes } from './support/requirements.js';

const version = 'v1.36.3';
const stepMs = 600_000;

const applicationImage = 'example.com/my-application:1';

/** Writes an archive of an image that no node has into the home directory. */
async function makeArchive(host: RealHost, machine: string, name: string): Promise<void> {
  const ctr = 'ctr --namespace k8s.io images';
  const file = `/var/log/${name}.tar`;
  const steps = [
    `pause=$(${ctr} ls -q | grep -m1 pause)`,
    `${ctr} tag "$pause" ${applicationImage}`,
    `${ctr} export ${file} ${applicationImage}`,
    `${ctr} rm ${applicationImage}`,
  ];
  await host.runInMachine(machine, 'sh', '-euc', steps.join('; '));
  await host.shell(`mv .local/share/slipway/host/machines/*/root${file} .`);
}

async function imagesOf(host: RealHost, machine: string): Promise<string[]> {
  return (await host.runInMachine(machine, 'ctr', '--namespace', 'k8s.io', 'images', 'ls', '-q')).split('\n');
}

// Runs the commands of docs/tasks/real-local-cluster.md as the page shows them. The short form of `npm run e2e:real`: checks
// generated data with real kubeadm, kubelet, etcd and kube-apiserver.
describe('a real cluster on this host', () => {
  let started: RealHost | undefined;
  const running = (): RealHost => started ?? expect.unreachable('there is no cluster');
  beforeEach(needsRealNodes);
  afterAll(() => started?.dispose());

  it(
    'becomes available with a control plane and a worker, although Slipway is killed while they boot',
    async () => {
      const host = await RealHost.start([version]);
      started = host;
      const hostState = host.hostState();
      await host.shell(realNodes.create);
      await controlPlaneBoots(host);
      await killAndRestart(host);
      await clusterIsAvailable(host, 1, '400s');
      await host.shell(realNodes.available);
      await expectNodes(host, 2, version);
      expect(await etcdMembers(host)).toEqual(await controlPlaneMachines(host));
      expect(host.hostState()).toEqual(hostState);
    },
    stepMs,
  );

  it(
    'runs a Pod on the worker that answers over the Pod network',
    async () => {
      expect(await answerOfPod(running())).toBe('answer');
    },
    stepMs,
  );

  it(
    'is used by the commands of the page',
    async () => {
      const host = running();
      await host.shell(realNodes.workloadKubeconfig);
      expect((await host.shell(realNodes.nodes)).match(/ Ready /g)).toHaveLength(2);
      await host.shell(realNodes.addOns);
      await host.kubectl(
        'wait',
        '--for=condition=ResourcesApplied',
        '--timeout=180s',
        'clusterresourceset/local-add-ons',
      );
      expect(await host.shell(realNodes.storageClasses)).toContain('local-path');
      await host.shell(realNodes.scaleWorkers);
      await host.kubectl('wait', '--for=jsonpath={.status.availableReplicas}=2', '--timeout=400s', 'md/real-workers');
      await expectNodes(host, 3, version);
      expect((await host.shell(realNodes.machines)).match(/^hostmachine\S+\/real/gm)).toHaveLength(3);
    },
    stepMs,
  );

  it(
    'has an image from an archive on every node after `slipway load image`',
    async () => {
      const host = running();
      const machines = (await host.kubectl('get', 'hostmachines', '-o', 'name'))
        .split('\n')
        .map((name) => basename(name));
      await makeArchive(host, machines[0] ?? '', 'my-application');
      expect(await host.shell(realNodes.loadImage)).toContain(`loaded into ${machines.length} nodes`);
      const images = await Promise.all(machines.map((machine) => imagesOf(host, machine)));
      expect(images.map((list) => list.includes(applicationImage))).toEqual(machines.map(() => true));
      expect(await host.shell(`${realNodes.loadImage.replace('real', 'unknown')} 2>&1 || true`)).toContain(
        'cluster unknown has no HostMachines in namespace default',
      );
    },
    stepMs,
  );

  it(
    'has a kubelet from which `slipway drivers logs` prints',
    async () => {
      const host = running();
      const namespace = ['-n', 'vmware-system-vdo'];
      await host.applyToWorkload('real', operatorPod, ...namespace);
      const ended = ['--for=jsonpath={.status.phase}=Failed', '--timeout=180s'];
      await host.workload('real', 'wait', ...namespace, ...ended, 'pod/vdo');
      for (const command of [realNodes.operatorLogs, realNodes.moreOperatorLogs])
        expect(await host.shell(command, 'export KUBECONFIG=real.conf')).toContain('connection refused');
    },
    stepMs,
  );

  it(
    'leaves nothing behind when it is deleted',
    async () => {
      expect(await deleteCluster(running())).toEqual([]);
    },
    stepMs,
  );
});
