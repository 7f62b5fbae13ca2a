import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpsClient } from '../support/https-client.js';
import { peerBinary } from '../support/peer-process.js';
import { runCommand } from '../support/run-command.js';
import { type ServerUnderTest, startOurServer } from '../support/server-under-test.js';

// Runs stock Helm against Slipway: its release Secrets, three-way patches, waits and hooks.
const chart = fileURLToPath(new URL('./chart', import.meta.url));
const home = mkdtempSync(`${tmpdir()}/helm-`);
let server: ServerUnderTest;
let client: HttpsClient;

beforeAll(async () => {
  server = await startOurServer();
  client = new HttpsClient(server);
});
afterAll(async () => {
  client?.close();
  await server?.stop();
  rmSync(home, { recursive: true, force: true });
});

async function helm(line: string): Promise<string> {
  const args = line.split(' ').map((word) => (word === '%' ? chart : word));
  const env = { KUBECONFIG: server.kubeconfigFile, HOME: home, HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home };
  const { code, stdout, stderr } = await runCommand(peerBinary('helm'), [...args, '--namespace', 'lights'], { env });
  expect(`${code} ${stderr}`.replaceAll(/WARNING.*\n/g, '').trim()).toBe('0');
  return stdout;
}

async function get(path: string): Promise<Record<string, unknown> | undefined> {
  const answer = await client.call({ method: 'GET', path });
  return answer.status === 404 ? undefined : (JSON.parse(answer.text) as Record<string, unknown>);
}

/** Returns the objects of the release. */
async function state(): Promise<unknown> {
  const core = '/api/v1/namespaces/lights';
  const deployment = await get('/apis/apps/v1/namespaces/lights/deployments/lamp');
  const lantern = await get('/apis/light.example.com/v1/namespaces/lights/lanterns/lamp');
  const hook = await get(`${core}/configmaps/lamp-hook`);
  return {
    replicas: (deployment?.['spec'] as { replicas?: number } | undefined)?.replicas,
    color: (lantern?.['spec'] as { color?: string } | undefined)?.color,
    many: (await get(`${core}/configmaps/lamp-many`)) !== undefined,
    service: (await get(`${core}/services/lamp`)) !== undefined,
    hook: (hook?.['data'] as { revision?: string } | undefined)?.revision,
  };
}

describe('helm', () => {
  it('installs a chart with CRDs', async () => {
    const output = await helm('install lamp % --create-namespace');
    expect(output).toContain('STATUS: deployed');
    expect(await state()).toEqual({ replicas: 1, color: 'yellow', many: false, service: true, hook: '1' });
  });

  it('upgrades: patches what changed, creates what is new', async () => {
    await helm('upgrade lamp % --set replicas=2,color=blue');
    expect(await state()).toEqual({ replicas: 2, color: 'blue', many: true, service: true, hook: '2' });
  });

  it('changes nothing when nothing changed', async () => {
    const path = '/apis/apps/v1/namespaces/lights/deployments/lamp';
    const before = await get(path);
    await helm('upgrade lamp % --set replicas=2,color=blue');
    expect((await get(path))?.['metadata']).toEqual(before?.['metadata']);
  });

  it('rolls back, and deletes objects that the old revision did not have', async () => {
    await helm('rollback lamp 1');
    expect(await state()).toEqual({ replicas: 1, color: 'yellow', many: false, service: true, hook: '3' });
  });

  it('prints history, status and manifest', async () => {
    const history = JSON.parse(await helm('history lamp -o json')) as { revision: number; status: string }[];
    expect(history.map(({ revision, status }) => `${revision} ${status}`)).toEqual([
      '1 superseded',
      '2 superseded',
      '3 superseded',
      '4 deployed',
    ]);
    expect(await helm('get manifest lamp')).toContain('kind: Lantern');
    expect(JSON.parse(await helm('list -o json'))).toMatchObject([{ name: 'lamp', revision: '4' }]);
  });

  it('uninstalls, and waits until all objects are deleted', async () => {
    await helm('uninstall lamp --wait');
    expect(await state()).toMatchObject({ replicas: undefined, color: undefined, service: false });
    expect(
      await get('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/lanterns.light.example.com'),
    ).toBeDefined();
  });
});
