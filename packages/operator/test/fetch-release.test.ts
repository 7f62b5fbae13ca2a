import { getCondition } from '@slipway/runtime';
import { startEmbeddedServer } from '@slipway/testing/plane';
import { startHttpsServer, type TestHttpsServer } from '@slipway/testing/servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperatorFixture, runs, hasReason } from './operator-fixture.js';
import { type OperatorUnderTest, startOperator } from './operator-under-test.js';
import { registryStory, startStockRegistry } from './registry-story.js';
import { type StockRelease, stockFolder } from './stock-release.js';

const infra = { name: 'pond', type: 'InfrastructureProvider' } as const;
const release = (version: string): StockRelease => ({ ...infra, version });
const label = 'infrastructure-pond';

/** Release mirror on a web server. */
function startMirror(versions: readonly string[]): Promise<TestHttpsServer> {
  const files = new Map([[`/${label}/versions.json`, JSON.stringify(versions)]]);
  for (const version of versions)
    for (const [file, text] of Object.entries(stockFolder(release(version))))
      files.set(`/${label}/${version}/${file}`, text);
  return startHttpsServer(({ url = '' }, response) => {
    const text = files.get(url);
    response.writeHead(text === undefined ? 404 : 200).end(text);
  });
}

async function startOn(network: TestHttpsServer): Promise<OperatorUnderTest> {
  const server = await startEmbeddedServer();
  const operator = await startOperator(await server.connection(), {
    certificateAuthority: network.certificateAuthority,
    stop: async () => {
      await server.stop();
      await network.stop();
    },
  });
  await new OperatorFixture(operator.client).installCore();
  return operator;
}

describe('releases from a web server', () => {
  let mirror: TestHttpsServer;
  let operator: OperatorUnderTest;
  let fixture: OperatorFixture;
  beforeAll(async () => {
    mirror = await startMirror(['v1.0.0', 'v1.1.0', 'v1.2.0-rc.0']);
    operator = await startOn(mirror);
    fixture = new OperatorFixture(operator.client);
  });
  afterAll(() => operator?.stop());
  const url = (): string => `https://${mirror.host}/${label}/latest/infrastructure-components.yaml`;

  it('installs the newest stable release and fetches it once', async () => {
    await fixture.create(infra, { fetchConfig: { url: url() } });
    expect((await fixture.reaches(infra, runs('v1.1.0'))).spec?.version).toBe('v1.1.0');
    const requestsBefore = mirror.requests.length;
    await fixture.breakAndRepair(infra);
    await fixture.change(infra, { manager: { verbosity: 3 } });
    await fixture.reaches(infra, ({ status, metadata }) => status?.observedGeneration === metadata.generation);
    expect(mirror.requests).toHaveLength(requestsBefore);
  });

  it('reports the URL of a version that does not exist', async () => {
    await fixture.change(infra, { version: 'v1.9.0' });
    const reported = await fixture.reaches(infra, hasReason('ProviderInstalled', 'ComponentsFetchError'));
    expect(getCondition(reported, 'ProviderInstalled')?.message).toContain(`/${label}/v1.9.0/metadata.yaml`);
    await fixture.change(infra, { version: 'v1.1.0' });
    await fixture.reaches(infra, hasReason('ProviderInstalled', 'ProviderInstalled'));
  });

  it('rejects file URLs', async () => {
    const local = { name: 'local', type: 'InfrastructureProvider' } as const;
    await fixture.create(local, { fetchConfig: { url: `file:///tmp/${label}/v1.0.0/infrastructure-components.yaml` } });
    const reported = await fixture.reaches(local, hasReason('ProviderInstalled', 'ComponentsFetchError'));
    expect(getCondition(reported, 'ProviderInstalled')?.message).toContain('only https is supported');
  });
});

describe('a provider', () => {
  let operator: OperatorUnderTest;
  let host: string;
  beforeAll(async () => {
    const registry = await startStockRegistry();
    ({ host } = registry);
    operator = await startOn(registry);
  });
  afterAll(() => operator?.stop());

  registryStory(() => ({ operator, host }));
});
