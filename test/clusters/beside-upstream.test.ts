import { readFileSync } from 'node:fs';
import { clusters } from '@slipway/cluster-api';
import { type Conditioned, isConditionTrue } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowedDifferences } from './allowed-differences.js';
import { type Management, startEmbedded, startUpstream } from './management.js';
import { anonymous, differences, normalise } from './normalise.js';

const samples = [
  { title: 'the quick start', file: 'quick-start.yaml', namespace: 'plain' },
  { title: 'the quick start from a class', file: 'quick-start-topology.yaml', namespace: 'classy' },
];
const kinds = [
  'clusters',
  'clusterclasses',
  'kubeadmcontrolplanes',
  'kubeadmcontrolplanetemplates',
  'machinedeployments',
  'machinesets',
  'machines',
  'kubeadmconfigs',
  'kubeadmconfigtemplates',
  'devclusters',
  'devclustertemplates',
  'devmachines',
  'devmachinetemplates',
];
const gates = 'ClusterTopology=true';
const upMs = 180_000;
let theirs: Management;
let ours: Management;
const seen: string[] = [];

beforeAll(async () => {
  // Start both sequentially: they allocate ports from the same range, and only Slipway checks that a port is free.
  theirs = await startUpstream(gates);
  await bringUp(theirs);
  ours = await startEmbedded(`--feature-gates=${gates}`);
  await bringUp(ours);
}, 600_000);

afterAll(async () => {
  await Promise.all([theirs?.stop(), ours?.stop()]);
});

/**
 * Applies the same manifest to upstream's managers and to Slipway and compares the final objects. Both still write after the
 * cluster is Available, so the comparison is retried until they match.
 */
describe.each(samples)('$title compared with upstream', ({ namespace }) => {
  it.each(kinds)('has the same %s', async (kind) => {
    await expect
      .poll(async () => {
        const [a, b] = await Promise.all([theirs, ours].map((management) => read(management, kind, namespace)));
        const all = differences(a ?? [], b ?? []);
        seen.push(...all);
        return all.filter((line) => !allowedDifferences.some(({ what }) => what.test(line))).join('\n');
      })
      .toBe('');
  });

  it('is described identically by clusterctl', async () => {
    await expect
      .poll(async () => {
        const [a, b] = await Promise.all([theirs, ours].map((management) => describeCluster(management, namespace)));
        return { upstream: a, slipway: b, isSame: a === b };
      })
      .toMatchObject({ isSame: true });
  });
});

it('needs every difference that is allowed', () => {
  const idle = allowedDifferences.filter(({ what }) => !seen.some((line) => what.test(line)));
  expect(idle.map(({ why }) => why)).toEqual([]);
});

async function bringUp(management: Management): Promise<void> {
  for (const { file, namespace } of samples) {
    await management.kubectl(['create', 'namespace', namespace]);
    const text = readFileSync(new URL(`../../docs/samples/${file}`, import.meta.url), 'utf8');
    const input = text.replaceAll('namespace: default', `namespace: ${namespace}`);
    await management.kubectl(['apply', '-f', '-'], { input });
  }
  for (const { title, namespace } of samples)
    await management.until(
      `${title} is Available`,
      clusters,
      (view) => isThere(view.get({ namespace, name: 'quick-start' }) as Conditioned | undefined),
      upMs,
    );
}

function isThere(cluster: Conditioned | undefined): boolean {
  return cluster !== undefined && isConditionTrue(cluster, 'Available') && !isConditionTrue(cluster, 'ScalingUp');
}

async function read(management: Management, kind: string, namespace: string): Promise<string[]> {
  return normalise(JSON.parse(await management.kubectl(['get', kind, '-n', namespace, '-o', 'json'])));
}

async function describeCluster(management: Management, namespace: string): Promise<string> {
  const args = ['describe', 'cluster', 'quick-start', '-n', namespace, '--show-conditions=all'];
  const { stdout } = await management.run('clusterctl', args);
  // Ignore ages and the column widths that depend on them.
  return anonymous(stdout)
    .replaceAll(/\s\d+[smh](\d+s)?\s/g, ' <age> ')
    .replaceAll(/ +/g, ' ');
}
