import { describe, expect, it } from 'vitest';
import { metricsDocument, PrometheusRequestMetrics } from './metrics.js';
import { bodyJson, bodyText, configMaps, createBench, testRequest, widgets } from './test-support.js';

const aggregated =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';

async function get(path: string, headers: Record<string, string> = {}, bench = createBench()) {
  const response = await bench.handler.handle(testRequest('GET', path, { headers }));
  return { response, bench };
}

describe('discovery', () => {
  it('lists groups and versions in the legacy format', async () => {
    expect(bodyJson((await get('/api')).response)).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
    });
    expect(bodyJson((await get('/apis')).response)).toMatchObject({
      kind: 'APIGroupList',
      groups: [
        { name: 'authorization.k8s.io' },
        {
          name: 'example.com',
          versions: [{ groupVersion: 'example.com/v1', version: 'v1' }, { groupVersion: 'example.com/v1beta1' }],
          preferredVersion: { groupVersion: 'example.com/v1', version: 'v1' },
        },
      ],
    });
    expect(bodyJson((await get('/apis/example.com')).response)).toMatchObject({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'example.com',
    });
  });

  it('lists the verbs of a CRD resource: delete, deletecollection, get, list, patch, create, update, watch; status: get, patch, update', async () => {
    expect(bodyJson((await get('/apis/example.com/v1')).response)).toEqual({
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'example.com/v1',
      resources: [
        {
          name: 'widgets',
          singularName: 'widget',
          namespaced: true,
          kind: 'Widget',
          verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
          categories: ['all'],
          storageVersionHash: expect.stringMatching(/^.{11}=$/) as string,
        },
        {
          name: 'widgets/status',
          singularName: '',
          namespaced: true,
          kind: 'Widget',
          verbs: ['get', 'patch', 'update'],
        },
        {
          name: 'widgets/scale',
          singularName: '',
          namespaced: true,
          group: 'autoscaling',
          version: 'v1',
          kind: 'Scale',
          verbs: ['get', 'patch', 'update'],
        },
      ],
    });
  });

  it('lists `serviceaccounts/token` with group `authentication.k8s.io`, version v1 and kind TokenRequest', async () => {
    const { resources } = bodyJson((await get('/api/v1')).response) as { resources: { name: string }[] };
    expect(resources.find(({ name }) => name === 'serviceaccounts/token')).toMatchObject({
      group: 'authentication.k8s.io',
      version: 'v1',
      kind: 'TokenRequest',
      verbs: ['create'],
    });
  });

  it('serves aggregated discovery with its content type, an ETag and 304', async () => {
    const { response, bench } = await get('/apis', { accept: aggregated });
    expect(response.headers).toMatchObject({
      'content-type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
      vary: 'Accept',
      'cache-control': 'public',
      etag: expect.stringMatching(/^"[0-9A-F]{128}"$/) as string,
    });
    const body = bodyJson(response) as { items: { metadata: object; versions: object[] }[] };
    expect(body.items[1]).toMatchObject({
      metadata: { name: 'example.com' },
      versions: [
        {
          version: 'v1',
          freshness: 'Current',
          resources: [
            {
              resource: 'widgets',
              responseKind: { group: 'example.com', version: 'v1', kind: 'Widget' },
              scope: 'Namespaced',
              singularResource: 'widget',
              subresources: [
                { subresource: 'status' },
                { subresource: 'scale', responseKind: { group: 'autoscaling' } },
              ],
            },
          ],
        },
        { version: 'v1beta1' },
      ],
    });
    const again = await get('/apis', { accept: aggregated, 'if-none-match': String(response.headers['etag']) }, bench);
    expect([again.response.status, again.response.body]).toEqual([304, undefined]);
  });

  it('serves v2beta1, and ignores the profile parameter', async () => {
    const beta = await get('/api', {
      accept: 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
    });
    expect(bodyJson(beta.response)).toMatchObject({
      apiVersion: 'apidiscovery.k8s.io/v2beta1',
      items: [{ metadata: {}, versions: [{ version: 'v1' }] }],
    });
    const profile = await get('/api', {
      accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer',
    });
    expect(profile.response.headers['content-type']).toContain('v=v2;as=APIGroupDiscoveryList');
  });

  it('reflects changes of the registry', async () => {
    const { bench } = await get('/apis/example.com');
    bench.registry.served = [configMaps];
    bench.registry.generation += 1;
    expect((await get('/apis/example.com', {}, bench)).response.status).toBe(404);
    bench.registry.served = [configMaps, widgets];
    bench.registry.generation += 1;
    expect((await get('/apis/example.com/v1', {}, bench)).response.status).toBe(200);
  });
});

describe('process endpoints', () => {
  it('serves `/version` with a semver gitVersion with a leading v, and major and minor as strings', async () => {
    expect(bodyJson((await get('/version')).response)).toMatchObject({
      major: '1',
      minor: '36',
      gitVersion: expect.stringMatching(/^v1\.36\.\d+$/) as string,
    });
  });

  it('serves `/healthz`, `/livez` and `/readyz` as 200 text/plain with the body `ok`', async () => {
    for (const path of ['/healthz', '/livez', '/readyz', '/readyz/ping']) {
      const { response } = await get(path);
      expect([response.status, response.headers['content-type'], bodyText(response)]).toEqual([
        200,
        'text/plain; charset=utf-8',
        'ok',
      ]);
    }
    expect((await get('/livez/nothing')).response.status).toBe(404);
  });

  it('prints one line per check for `?verbose`, returns 500 with `reason withheld` for a failing check, and supports `?exclude=name`', async () => {
    const bench = createBench();
    bench.handler.health.register({
      name: 'etcd',
      check: () => {
        throw new Error('secret detail');
      },
    });
    const failing = await get('/livez', {}, bench);
    expect([failing.response.status, bodyText(failing.response)]).toEqual([
      500,
      '[+]ping ok\n[-]etcd failed: reason withheld\nlivez check failed\n',
    ]);
    const excluded = await get('/readyz?verbose&exclude=etcd&exclude=x', {}, bench);
    expect(bodyText(excluded.response)).toBe(
      '[+]ping ok\n[+]shutdown ok\n[+]etcd excluded: ok\nwarn: some health checks cannot be excluded: no matches for "x"\nreadyz check passed\n',
    );
    bench.handler.shutdown();
    expect((await get('/readyz', {}, bench)).response.status).toBe(500);
    expect((await get('/livez?exclude=etcd', {}, bench)).response.status).toBe(200);
  });

  it('lists paths at `/`, and serves documents', async () => {
    const documents = new Map([
      [
        '/openid/v1/jwks',
        () => ({ contentType: 'application/jwk-set+json', body: '{"keys":[]}', cacheControl: 'public, max-age=3600' }),
      ],
    ]);
    const bench = createBench({ documents });
    expect(bodyJson((await get('/', {}, bench)).response)).toMatchObject({
      paths: expect.arrayContaining(['/api', '/apis/example.com/v1', '/openid/v1/jwks', '/version']) as string[],
    });
    const { response } = await get('/openid/v1/jwks', {}, bench);
    expect([response.headers['cache-control'], bodyText(response)]).toEqual(['public, max-age=3600', '{"keys":[]}']);
    expect((await bench.handler.handle(testRequest('POST', '/version'))).status).toBe(405);
  });

  it("counts requests with upstream's metric names", async () => {
    const metrics = new PrometheusRequestMetrics();
    const bench = createBench({
      metrics,
      documents: new Map([['/metrics', metricsDocument(() => [metrics.registry])]]),
    });
    await get('/api/v1/namespaces/a/configmaps', {}, bench);
    await get('/api/v1/namespaces/a/invented', {}, bench);
    const text = bodyText((await get('/metrics', {}, bench)).response);
    expect(text).toContain(
      'apiserver_request_total{verb="LIST",group="",version="v1",resource="configmaps",subresource="",scope="namespace",component="apiserver",dry_run="",code="200"} 1',
    );
    expect(text).toContain('apiserver_current_inflight_requests{request_kind="readOnly"} 1');
    expect(text).toContain('apiserver_request_duration_seconds_bucket');
    expect(text).not.toContain('invented');
  });
});

describe('OpenAPI', () => {
  it('lists group versions with hashes; the right hash is immutable, a wrong one redirects', async () => {
    const { response, bench } = await get('/openapi/v3');
    const { paths } = bodyJson(response) as { paths: Record<string, { serverRelativeURL: string }> };
    expect(Object.keys(paths)).toEqual([
      'api/v1',
      'apis/authorization.k8s.io/v1',
      'apis/example.com/v1',
      'apis/example.com/v1beta1',
    ]);
    const url = paths['apis/example.com/v1']?.serverRelativeURL ?? '';
    const document = await get(url, {}, bench);
    expect(document.response.headers).toMatchObject({
      'cache-control': 'public, immutable',
      'content-type': 'application/json',
      expires: expect.stringContaining('GMT') as string,
    });
    const wrong = await get('/openapi/v3/apis/example.com/v1?hash=ABC', {}, bench);
    expect([wrong.response.status, wrong.response.headers['location']]).toEqual([301, url]);
    const cached = await get(
      '/openapi/v3/apis/example.com/v1',
      { 'if-none-match': String(document.response.headers['etag']) },
      bench,
    );
    expect(cached.response.status).toBe(304);
  });

  it('serves OpenAPI v2 as protobuf, and rejects the protobuf format of v3 with 406', async () => {
    const accept = (version: string): { accept: string } => ({
      accept: `application/com.github.proto-openapi.spec.${version}@v1.0+protobuf`,
    });
    const { response } = await get('/openapi/v2', accept('v2'));
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toContain('protobuf');
    expect((await get('/openapi/v3/api/v1', accept('v3'))).response.status).toBe(406);
  });
});
