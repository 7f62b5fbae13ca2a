import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expressions } from '../../packages/clusterctl/src/envsubst/expressions.js';
import { documents, openWorkbench, succeeded, type Workbench } from './workbench.js';

let workbench: Workbench;
beforeAll(async () => {
  workbench = await openWorkbench();
});
afterAll(() => workbench.dispose());

const version = 'v1.14.2+slipway.0.1.0';
const providers = [
  '--core=cluster-api',
  '--bootstrap=kubeadm',
  '--control-plane=kubeadm',
  '--infrastructure=dev',
  '--infrastructure=vsphere',
];

describe('stock clusterctl with the repository of `slipway release`', () => {
  it('lists our providers', async () => {
    const listed = succeeded(await workbench.clusterctl(['config', 'repositories']));
    for (const label of ['cluster-api', 'bootstrap-kubeadm', 'control-plane-kubeadm', 'infrastructure-dev'])
      expect(listed).toContain(`${workbench.repository}/${label}/latest/`);
  });

  it.each(providers)('generates the same components as slipway: %s', async (provider) => {
    const args = ['generate', 'provider', provider, '--target-namespace', 'elsewhere'];
    const env = { CLUSTER_TOPOLOGY: 'true' };
    const [theirs, ours] = await Promise.all([workbench.clusterctl(args, { env }), workbench.slipway(args, { env })]);
    const stock = documents(succeeded(theirs)).map(withoutEmpty);
    expect(stock.length).toBeGreaterThan(8);
    expect(documents(succeeded(ours)).map(withoutEmpty)).toEqual(stock);
  });

  it.each(providers)('prints the same description as slipway: %s', async (provider) => {
    const args = ['generate', 'provider', provider, '--describe'];
    const [theirs, ours] = await Promise.all([workbench.clusterctl(args), workbench.slipway(args)]);
    const withoutUrl = (text: string): string => text.replace(/^URL:.*$/m, '');
    expect(withoutUrl(succeeded(ours))).toBe(withoutUrl(succeeded(theirs)));
  });

  it.each([
    ['the first template', []],
    [
      'counts and a version',
      ['--control-plane-machine-count=3', '--worker-machine-count=2', '--kubernetes-version=v1.34.1'],
    ],
    ['another namespace', ['--target-namespace=clusters']],
    ['a flavor, with its class', ['--flavor=topology', '--target-namespace=clusters']],
  ])('generates the same cluster: %s', async (_name, more) => {
    const args = [
      'generate',
      'cluster',
      'demo',
      `--infrastructure=dev:${version}`,
      '--target-namespace=default',
      ...more,
    ];
    const [theirs, ours] = await Promise.all([workbench.clusterctl(args), workbench.slipway(args)]);
    expect(succeeded(ours)).toBe(succeeded(theirs));
  });

  it('lists the same variables', async () => {
    const args = [
      'generate',
      'cluster',
      'demo',
      `--infrastructure=dev:${version}`,
      '-n',
      'default',
      '--list-variables',
    ];
    const [theirs, ours] = await Promise.all([workbench.clusterctl(args), workbench.slipway(args)]);
    const names = (text: string): string[] => [...text.matchAll(/- (\w+)/g)].map(([, name = '']) => name);
    expect(names(succeeded(ours))).toEqual(names(succeeded(theirs)));
  });
});

describe('templates are rendered identically by both', () => {
  const manifest = (text: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n  a: |-\n    ${text}\n`;

  it.each(expressions.rows)('$text', async ({ text, then }) => {
    const options = { env: expressions.values, input: manifest(text) };
    const theirs = succeeded(await workbench.clusterctl(['generate', 'yaml'], options));
    expect(documents(theirs)).toEqual([expect.objectContaining({ data: { a: then } })]);
  });

  it.each(expressions.refused)('both reject: $text', async ({ text, expected }) => {
    const options = { env: expressions.values, input: manifest(text) };
    const { code, stderr } = await workbench.clusterctl(['generate', 'yaml'], options);
    expect(code).not.toBe(0);
    expect(stderr).toContain(expected);
  });

  it('reports missing variables with the same message', async () => {
    const options = { input: manifest('${ZONE} ${ABSENT} ${OTHER:=x} ${SIZE^^}') };
    const [theirs, ours] = await Promise.all([
      workbench.clusterctl(['generate', 'yaml'], options),
      workbench.slipway(['generate', 'yaml'], options),
    ]);
    const reported = (text: string): string => /value for variables [^\n]*/.exec(text)?.[0] ?? '';
    expect(reported(ours.stderr)).toBe(reported(theirs.stderr));
    expect(reported(ours.stderr)).toContain('[ABSENT, SIZE, ZONE]');
  });
});

/** Removes unset fields that Go writes: `creationTimestamp: null`, `strategy: {}`, the status of a CRD. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(([name]) => name !== 'status' || !('acceptedNames' in (value as { status: object }).status))
    .map(([name, member]) => [name, withoutEmpty(member)] as const)
    .filter(([, member]) => member !== null && !(typeof member === 'object' && Object.keys(member).length === 0));
  return Object.fromEntries(members);
}
