import { fileURLToPath } from 'node:url';
import { clusters } from '@slipway/cluster-api';
import { type Conditioned, isConditionTrue } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowedDifferences } from './allowed-differences.js';
import { type Management, startEmbedded, startUpstream } from './management.js';
import { anonymous, differences, normalise } from './normalise.js';

const sample = fileURLToPath(new URL('../../docs/samples/quick-start.yaml', import.meta.url));
const kinds = [
  'clusters',
  'kubeadmcontrolplanes',
  'machinedeployments',
  'machinesets',
  'machines',
  'kubeadmconfigs',
  'kubeadmconfigtemplates',
  'devclusters',
  'devmachines',
  'devmachinetemplates',
];

/** The same manifest on upstream's managers and on ours: what stands in the objects when all is done is compared. */
describe('the quick start beside upstream', () => {
  let theirs: Management;
  let ours: Management;

  beforeAll(async () => {
    // One after the other: both give ports from the same range to their clusters, and only ours looks for a free one.
    theirs = await startUpstream();
    await bringUp(theirs);
    ours = await startEmbedded();
    await bringUp(ours);
  });

  afterAll(async () => {
    await Promise.all([theirs?.stop(), ours?.stop()]);
  });

  it.each(kinds)('leaves the same %s', async (kind) => {
    const [a, b] = await Promise.all([theirs, ours].map((management) => read(management, kind)));
    const found = differences(a ?? [], b ?? []).filter(
      (line) => !allowedDifferences.some(({ what }) => what.test(line)),
    );
    expect(found.join('\n')).toBe('');
  });

  it('is described by clusterctl in the same words', async () => {
    const [a, b] = await Promise.all([theirs, ours].map(describeCluster));
    expect(b).toBe(a);
  });

  it('has no allowance that nothing needs any more', async () => {
    const all: string[] = [];
    for (const kind of kinds) {
      const [a, b] = await Promise.all([theirs, ours].map((management) => read(management, kind)));
      all.push(...differences(a ?? [], b ?? []));
    }
    const idle = allowedDifferences.filter(({ what }) => !all.some((line) => what.test(line)));
    expect(idle.map(({ why }) => why)).toEqual([]);
  });
});

async function bringUp(management: Management): Promise<void> {
  await management.kubectl(['apply', '-f', sample]);
  const isThere = (object: Conditioned | undefined): boolean =>
    object !== undefined && isConditionTrue(object, 'Available') && !isConditionTrue(object, 'ScalingUp');
  await management.until(
    'the cluster is Available',
    clusters,
    (view) => isThere(view.get({ namespace: 'default', name: 'quick-start' }) as Conditioned | undefined),
    180_000,
  );
}

async function read(management: Management, kind: string): Promise<string[]> {
  return normalise(JSON.parse(await management.kubectl(['get', kind, '-o', 'json'])));
}

async function describeCluster(management: Management): Promise<string> {
  const { stdout } = await management.run('clusterctl', [
    'describe',
    'cluster',
    'quick-start',
    '--show-conditions=all',
  ]);
  // How long ago something happened, and how wide the columns are for that, is not part of it.
  return anonymous(stdout)
    .replaceAll(/\s\d+[smh](\d+s)?\s/g, ' <age> ')
    .replaceAll(/ +/g, ' ');
}
