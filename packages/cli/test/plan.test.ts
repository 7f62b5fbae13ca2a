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
const run = (...words: readonly string[]) => slipway(...words, '--kubeconfig', kubeconfig);
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-plan-'));
  data = join(folder, 'data');
  const plane = await startPlane(data, '--quick-start');
  ({ kubeconfig } = plane);
  await plane.said('get nodes');
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
  it('says what a manifest will do, and changes nothing', async () => {
    const before = await machineNames();
    const scaled = file('scaled.yaml', sample.replace('replicas: 2', 'replicas: 4'));
    const { code, stdout, stderr } = await run('plan', '-f', scaled);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('+ create   a machine of MachineDeployment quick-start-workers (v1.35.0)');
    expect(stdout).toContain('Machines: 2 to create, 0 to replace, 0 to update in place, 0 to delete.');
    expect(await machineNames()).toEqual(before);
  });

  it('reads directories, and prints JSON without any Secret', async () => {
    const directory = join(folder, 'manifests');
    mkdirSync(directory);
    const [first = '', ...rest] = sample.split('\n---\n');
    writeFileSync(join(directory, 'a.yaml'), first);
    writeFileSync(join(directory, 'b.yml'), rest.join('\n---\n').replace('replicas: 2', 'replicas: 1'));
    writeFileSync(join(directory, 'notes.txt'), 'not a manifest');
    const { code, stdout } = await run('plan', '-f', directory, '-o', 'json');
    expect(code).toBe(0);
    const plan = JSON.parse(stdout) as { summary: object; isSettled: boolean };
    expect(plan).toMatchObject({ summary: { create: 0, replace: 0, update: 0, delete: 1 }, isSettled: true });
    expect(stdout).not.toContain('PRIVATE KEY');
  });

  it('makes what is forbidden an exit code', async () => {
    const upgraded = file('upgraded.yaml', sample.replaceAll('v1.35.0', 'v1.36.0'));
    const { code, stderr } = await run('plan', '-f', upgraded, '--forbid', 'replace', '--forbid', 'delete');
    expect(code).toBe(7);
    expect(stderr).toMatch(/forbidden by --forbid replace --forbid delete: replace quick-start-/);
  });

  it('says what deleting will do', async () => {
    const { code, stdout } = await run('plan', '--delete', '-f', file('sample.yaml', sample));
    expect(code).toBe(0);
    expect(stdout).toContain('Machines: 0 to create, 0 to replace, 0 to update in place, 3 to delete.');
  });

  const refusals = [
    { name: 'no manifest', words: ['plan'], code: 2, says: "required option '-f, --filename <file>' not specified" },
    {
      name: 'a file that is not there',
      words: ['plan', '-f', '/nowhere.yaml'],
      code: 1,
      says: 'cannot read /nowhere.yaml',
    },
    {
      name: 'an outcome that there is not',
      words: ['plan', '-f', 'x', '--forbid', 'explode'],
      code: 2,
      says: 'It is one of create',
    },
  ];
  it.each(refusals)('refuses $name', async ({ words, code, says }) => {
    const outcome = await run(...words);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain(says);
  });

  const bad = [
    { name: 'what is no YAML', text: 'a: [', says: 'bad.yaml: ' },
    { name: 'a document without a kind', text: 'a: 1\n', says: 'document 1: apiVersion and kind are missing' },
    {
      name: 'a kind that nobody serves',
      text: 'apiVersion: x.example.com/v1\nkind: X\nmetadata: {name: x}\n',
      says: 'serves no X of x.example.com/v1',
    },
    {
      name: 'an object that the rules refuse',
      text: sample.replace('replicas: 2', 'replicas: -2'),
      says: 'MachineDeployment default/quick-start-workers: ',
    },
  ];
  it.each(bad)('says what is wrong with $name', async ({ text, says }) => {
    const { code, stderr } = await run('plan', '-f', file('bad.yaml', text));
    expect(code).toBe(1);
    expect(stderr).toContain(says);
  });
});

describe('slipway apply --plan', () => {
  it('does nothing unless somebody says yes', async () => {
    const { code, stderr } = await run('apply', '--plan', '-f', file('sample.yaml', sample));
    expect(code).toBe(2);
    expect(stderr).toContain('give --yes to go on without a question');
  });

  it('shows the plan, applies and follows to the end', async () => {
    const scaled = file('scaled.yaml', sample.replace('replicas: 2', 'replicas: 3'));
    const { code, stdout } = await run('apply', '--plan', '--yes', '-f', scaled);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /1 to create[^]*applied MachineDeployment default\/quick-start-workers[^]*: created\n[^]*done\n$/,
    );
    expect(await machineNames()).toHaveLength(4);
  });
});

describe('slipway restore --adopt', () => {
  it('holds every Cluster until somebody has seen the plan', async () => {
    const backup = join(folder, 'plane.backup');
    expect((await slipway('backup', backup, '--data-dir', data)).code).toBe(0);
    const restored = join(folder, 'restored');
    const unasked = await slipway('restore', backup, '--data-dir', restored, '--adopt');
    expect(unasked.code).toBe(2);
    expect(unasked.stdout).toContain('What controllers will do if the Clusters go on');
    const plane = await startPlane(restored, '--api-only');
    const path = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters/quick-start';
    const { body } = await kubeRequest(plane.kubeconfig, 'GET', path);
    expect((body['spec'] as { paused?: boolean }).paused).toBe(true);
    const asked = await slipway('restore', backup, '--data-dir', join(folder, 'adopted'), '--adopt', '--yes');
    expect(asked.stdout).toMatch(/No machine changes\.[^]*1 Clusters go on with the next start/);
  });
});
