import { readFileSync } from 'node:fs';
import { clusters } from '@slipway/cluster-api';
import { type Conditioned, isConditionTrue } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/run-command.js';
import { type Management, startEmbedded } from './management.js';
import { installedSlipway } from '../../packages/cli/test/support/installed.js';

const samples = [
  { file: 'quick-start.yaml', namespace: 'plain' },
  { file: 'quick-start-topology.yaml', namespace: 'classy' },
];
let plane: Management;

beforeAll(async () => {
  plane = await startEmbedded('--feature-gates=ClusterTopology=true');
  for (const { file, namespace } of samples) {
    await plane.kubectl(['create', 'namespace', namespace]);
    const text = readFileSync(new URL(`../../docs/samples/${file}`, import.meta.url), 'utf8');
    await plane.kubectl(['apply', '-f', '-'], {
      input: text.replaceAll('namespace: default', `namespace: ${namespace}`),
    });
    await plane.until(`${file} is Available`, clusters, (view) => {
      const found = view.get({ namespace, name: 'quick-start' }) as Conditioned | undefined;
      return found !== undefined && isConditionTrue(found, 'Available') && !isConditionTrue(found, 'ScalingUp');
    });
  }
});
afterAll(() => plane?.stop());

const flags: readonly (readonly string[])[] = [
  [],
  ['--show-conditions=all'],
  ['--show-conditions=all+'],
  ['--show-conditions=Machine+,kubeadmcontrolplane'],
  ['--show-machinesets', '--show-templates'],
  ['--show-resourcesets', '--echo', '--grouping=false'],
  ['--v1beta2=false'],
  ['--v1beta2=false', '--show-conditions=all'],
];

/** Runs both commands on the same management plane with the same flags. The output must be identical. */
describe.each(samples)('the tree of a cluster compared with clusterctl, $namespace', ({ namespace }) => {
  it.each(flags)('%j %j', async (...args: readonly string[]) => {
    const command = ['describe', 'cluster', 'quick-start', '-n', namespace, ...args];
    // Retry: the two commands run one after the other, and the last conditions are written after the cluster is Available.
    await expect
      .poll(async () => {
        const [theirs, ours] = await Promise.all([
          plane.run('clusterctl', command),
          runCommand(process.execPath, [installedSlipway, ...command], { env: { KUBECONFIG: plane.kubeconfig } }),
        ]);
        const [clusterctl, own] = [withoutAges(theirs.stdout), withoutAges(ours.stdout) + ours.stderr];
        return { clusterctl, own, isSame: own === clusterctl };
      })
      .toMatchObject({ isSame: true });
  });

  it('gets the same kubeconfig', async () => {
    const command = ['get', 'kubeconfig', 'quick-start', '-n', namespace];
    const theirs = await plane.run('clusterctl', command);
    const ours = await runCommand(process.execPath, [installedSlipway, ...command], {
      env: { KUBECONFIG: plane.kubeconfig },
    });
    expect(ours).toMatchObject({ code: 0, stdout: theirs.stdout });
  });
});

it('rejects rollouts with the same message', async () => {
  const target = 'machinedeployment/quick-start-workers';
  await plane.kubectl([
    'patch',
    'machinedeployment',
    'quick-start-workers',
    '-n',
    'plain',
    '--type',
    'merge',
    '-p',
    '{"spec":{"paused":true}}',
  ]);
  for (const verb of ['restart', 'pause']) {
    const theirs = await plane.run('clusterctl', ['alpha', 'rollout', verb, target, '-n', 'plain']);
    const ours = await runCommand(process.execPath, [installedSlipway, 'rollout', verb, target, '-n', 'plain'], {
      env: { KUBECONFIG: plane.kubeconfig },
    });
    expect(ours.code).toBe(1);
    expect(ours.stderr.replace(/^slipway: /, '').trim()).toBe(theirs.stderr.replace(/^Error: /, '').trim());
  }
});

/** Removes ages and column widths, which change if a second passes between the two commands. */
function withoutAges(text: string): string {
  return text
    .replaceAll(/\s\d+[smhd](\d+[smh])?(?=\s|$)/gm, ' <age>')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ +$/gm, '');
}
