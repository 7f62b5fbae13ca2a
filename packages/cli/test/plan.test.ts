import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killPlanes, slipway, startPlane } from './support/command.js';
import { kubeRequest } from './support/kube-request.js';

const sample = readFileSync(new URL('../../../docs/samples/quick-start.yaml', import.meta.url), 'utf8');
let folder = '';
let data = '';
let kubeconfig = '';
const run = (...args: readonly string[]) => slipway(...args, '--kubeconfig', kubeconfig);
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-plan-'));
  data = join(folder, 'data');
  const plane = await startPlane(data, '--quick-start');
  ({ kubeconfig } = plane);
  await plane.waitForOutput('get nodes');
});
afterAll(async () => {
  await killPlanes();
  rmSync(folder, { recursive: true, force: true });
});

const machineNames = async (): Promise<string[]> => {
  const { body } = await kubeRequest(kubeconfig, 'GET', '/apis/cluster.x-k8s.io/v1beta2/machines');
  return (body['items'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name).sort();
};

describe('slipway plan', () => {
  it('prints the effect of a manifest without changing anything', async () => {
    const before = await machineNames();
    const scaled = file('scaled.yaml', sample.replace('replicas: 2', 'replicas: 4'));
    const { code, stdout, stderr } = await run('plan', '-f', scaled);
    expect({ code, stderr }).toEqual({ code: 9, stderr: '' });
    expect(stdout).toContain('+ create   a machine of MachineDeployment quick-start-workers (v1.35.0)');
    expect(stdout).toContain('Machines: 2 to create, 0 to replace, 0 to update in place, 0 to delete.');
    expect(await machineNames()).toEqual(before);
  });

  it('reads directories, and prints JSON without Secret data', async () => {
    const directory = join(folder, 'manifests');
    mkdirSync(directory);
    const [first = '', ...rest] = sample.split('\n---\n');
    writeFileSync(join(directory, 'a.yaml'), first);
    writeFileSync(join(directory, 'b.yml'), rest.join('\n---\n').replace('replicas: 2', 'replicas: 1'));
    writeFileSync(join(directory, 'notes.txt'), 'not a manifest');
    const { code, stdout } = await run('plan', '-f', directory, '-o', 'json');
    expect(code).toBe(9);
    const plan = JSON.parse(stdout) as { summary: object; isSettled: boolean };
    expect(plan).toMatchObject({ summary: { create: 0, replace: 0, update: 0, delete: 1 }, isSettled: true });
    expect(stdout).not.toContain('PRIVATE KEY');
  });

  it('exits with a distinct code if the plan has a forbidden outcome', async () => {
    const upgraded = file('upgraded.yaml', sample.replaceAll('v1.35.0', 'v1.36.0'));
    const { code, stderr } = await run('plan', '-f', upgraded, '--forbid', 'replace', '--forbid', 'delete');
    expect(code).toBe(7);
    expect(stderr).toMatch(/forbidden by --forbid replace --forbid delete: replace quick-start-/);
  });

  it('exits with 0 for a manifest without changes', async () => {
    const { code, stdout } = await run('plan', '-f', file('same.yaml', sample));
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'No changes.\n' });
  });

  it('exits with 10 and names a reference to an object that does not exist', async () => {
    const text = sample
      .replaceAll('quick-start', 'other')
      .split('\n---\n')
      .filter((one) => !/^kind: DevMachineTemplate$/m.test(one));
    const { code, stdout } = await run('plan', '-f', file('dangling.yaml', text.join('\n---\n')));
    expect(code).toBe(10);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /references DevMachineTemplate default\/other\S*, which does not exist/,
    );
  });

  it('prints Markdown for a pull request', async () => {
    const scaled = file('scaled.yaml', sample.replace('replicas: 2', 'replicas: 4'));
    const { code, stdout } = await run('plan', '-f', scaled, '-o', 'markdown');
    expect(code).toBe(9);
    expect(stdout).toContain('### slipway plan: Changes\n\nMachines: **2** to create,');
    expect(stdout).toContain(
      '| create | `new machine of MachineDeployment quick-start-workers` | quick-start | v1.35.0 |',
    );
  });

  it('uses the feature gates of the management plane', async () => {
    const topology = readFileSync(new URL('../../../docs/samples/quick-start-topology.yaml', import.meta.url), 'utf8');
    const { code, stderr } = await run('plan', '-f', file('topology.yaml', topology));
    expect(code).toBe(1);
    expect(stderr).toContain('ClusterTopology');
    const forced = await run(
      'plan',
      '-f',
      file('topology.yaml', topology.replaceAll('quick-start', 'fresh')),
      '--feature-gates',
      'ClusterTopology=true',
    );
    expect(forced.code).toBe(9);
  });

  it('prints the effect of a deletion', async () => {
    const { code, stdout } = await run('plan', '--delete', '-f', file('sample.yaml', sample));
    expect(code).toBe(9);
    expect(stdout).toContain('Machines: 0 to create, 0 to replace, 0 to update in place, 3 to delete.');
  });

  const invalidCalls = [
    {
      name: 'a call without a manifest',
      args: ['plan'],
      code: 2,
      expected: "required option '-f, --filename <file>' not specified",
    },
    {
      name: 'a missing file',
      args: ['plan', '-f', '/nowhere.yaml'],
      code: 1,
      expected: 'cannot read /nowhere.yaml',
    },
    {
      name: 'an unknown outcome',
      args: ['plan', '-f', 'x', '--forbid', 'explode'],
      code: 2,
      expected: 'The value must be one of: create, replace, update, delete.',
    },
  ];
  it.each(invalidCalls)('rejects $name', async ({ args, code, expected }) => {
    const outcome = await run(...args);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain(expected);
  });

  const bad = [
    { name: 'invalid YAML', text: 'a: [', expected: 'bad.yaml: ' },
    { name: 'a document without a kind', text: 'a: 1\n', expected: 'document 1: apiVersion and kind are missing' },
    {
      name: 'a kind that the server does not serve',
      text: 'apiVersion: x.example.com/v1\nkind: X\nmetadata: {name: x}\n',
      expected: 'does not serve kind X of x.example.com/v1',
    },
    {
      name: 'an object that validation rejects',
      text: sample.replace('replicas: 2', 'replicas: -2'),
      expected: 'MachineDeployment default/quick-start-workers: ',
    },
  ];
  it.each(bad)('reports the problem of $name', async ({ text, expected }) => {
    const { code, stderr } = await run('plan', '-f', file('bad.yaml', text));
    expect(code).toBe(1);
    expect(stderr).toContain(expected);
  });
});

describe('slipway apply --plan', () => {
  it('applies nothing without confirmation', async () => {
    const { code, stderr } = await run('apply', '--plan', '-f', file('sample.yaml', sample));
    expect(code).toBe(2);
    expect(stderr).toContain('use --yes to skip the confirmation');
  });

  it('shows the plan, applies it and follows the changes until they are complete', async () => {
    const scaled = file('scaled.yaml', sample.replace('replicas: 2', 'replicas: 3'));
    const { code, stdout } = await run('apply', '--plan', '--yes', '-f', scaled);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /1 to create[^]*applied MachineDeployment default\/quick-start-workers[^]*: created, [A-Z]\w+: [^\n]+ \(machineset\)\n[^]*done\n$/,
    );
    expect(await machineNames()).toHaveLength(4);
  });
});

describe('slipway apply PLAN-FILE', () => {
  it('applies a saved plan once, and rejects it when its objects have changed', async () => {
    const out = join(folder, 'plan.json');
    const scaled = file('scaled.yaml', sample.replace('replicas: 2', 'replicas: 4'));
    expect((await run('plan', '-f', scaled, '--out', out)).code).toBe(9);
    const applied = await run('apply', out);
    expect(applied.code).toBe(0);
    expect(applied.stdout).toMatch(/applied MachineDeployment default\/quick-start-workers[^]*done\n$/);
    expect(await machineNames()).toHaveLength(5);
    const again = await run('apply', out);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('MachineDeployment default/quick-start-workers was changed');
  });

  it.each([
    {
      name: 'a call without a manifest and a plan',
      args: [],
      code: 2,
      expected: 'either a manifest with -f or a plan file',
    },
    { name: 'a file that is not a plan', args: ['plan-of-nothing.yaml'], code: 2, expected: 'is not a plan' },
  ])('rejects $name', async ({ args, code, expected }) => {
    const given = args.map((name) => file(name, sample));
    const outcome = await run('apply', ...given);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain(expected);
  });
});

describe('slipway restore --adopt', () => {
  it('pauses every Cluster until the plan is confirmed', async () => {
    const backup = join(folder, 'plane.backup');
    expect((await slipway('backup', backup, '--data-dir', data)).code).toBe(0);
    const restored = join(folder, 'restored');
    const unconfirmed = await slipway('restore', backup, '--data-dir', restored, '--adopt');
    expect(unconfirmed.code).toBe(2);
    expect(unconfirmed.stdout).toContain('Changes that the controllers will make when the Clusters are resumed');
    const plane = await startPlane(restored, '--api-only');
    const path = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters/quick-start';
    const { body } = await kubeRequest(plane.kubeconfig, 'GET', path);
    expect((body['spec'] as { paused?: boolean }).paused).toBe(true);
    const confirmed = await slipway('restore', backup, '--data-dir', join(folder, 'adopted'), '--adopt', '--yes');
    expect(confirmed.stdout).toMatch(/No machine changes\.[^]*1 Clusters are resumed at the next start/);
  });
});
