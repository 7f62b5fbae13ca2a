import { describe, expect, it } from 'vitest';
import { parseRequestInfo, type RequestInfo } from './request-info.js';

const rows: { name: string; method?: string; url: string; then: Partial<RequestInfo> }[] = [
  {
    name: 'a core object',
    url: '/api/v1/namespaces/a/pods/b',
    then: { verb: 'get', namespace: 'a', resource: 'pods', name: 'b' },
  },
  {
    name: 'a namespace is its own namespace',
    url: '/api/v1/namespaces/a',
    then: { verb: 'get', namespace: 'a', resource: 'namespaces', name: 'a' },
  },
  {
    name: 'finalize of a namespace',
    method: 'PUT',
    url: '/api/v1/namespaces/a/finalize',
    then: { verb: 'update', namespace: 'a', resource: 'namespaces', name: 'a', subresource: 'finalize' },
  },
  {
    name: 'a grouped subresource',
    method: 'PATCH',
    url: '/apis/apps/v1/namespaces/a/deployments/b/status',
    then: { verb: 'patch', group: 'apps', version: 'v1', resource: 'deployments', subresource: 'status' },
  },
  {
    name: 'a cluster-scoped list',
    url: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    then: { verb: 'list', resource: 'clusterroles', namespace: '' },
  },
  { name: 'an empty watch parameter counts as true', url: '/api/v1/pods?watch=', then: { verb: 'watch' } },
  { name: 'watch=0 is a list', url: '/api/v1/pods?watch=0', then: { verb: 'list' } },
  {
    name: 'the legacy watch prefix',
    url: '/api/v1/watch/namespaces/a/pods/b',
    then: { verb: 'watch', legacyWatch: true, name: 'b', namespace: 'a' },
  },
  { name: 'deletecollection', method: 'DELETE', url: '/api/v1/namespaces/a/pods', then: { verb: 'deletecollection' } },
  {
    name: 'RBAC: for list needs fieldSelector metadata.name',
    url: '/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%3Dx',
    then: { verb: 'list', name: '', authorizedName: 'x' },
  },
  {
    name: 'Percent-decoding: names like `system%3Anode`',
    url: '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode',
    then: { name: 'system:node' },
  },
  { name: 'group version is not a resource', url: '/apis/apps/v1', then: { isResource: false, verb: 'get' } },
  { name: 'a trailing slash', url: '/api/v1/namespaces/', then: { verb: 'list', resource: 'namespaces' } },
  { name: 'too deep a path', url: '/api/v1/namespaces/a/pods/b/proxy/c', then: { extra: true } },
];

describe('request info', () => {
  it.each(rows)('$name', ({ method, url, then }) => {
    expect(parseRequestInfo(method ?? 'GET', url)).toMatchObject(then);
  });

  it('rejects invalid percent-encoding', () => {
    expect(() => parseRequestInfo('GET', '/api/v1/namespaces/%zz')).toThrow('not properly encoded');
  });

  it('Percent-decoding: label selectors with encoded commas/parentheses', () => {
    const { query } = parseRequestInfo('GET', '/api/v1/pods?labelSelector=a+in+%28x%2Cy%29&x=%zz');
    expect(query.get('labelSelector')).toBe('a in (x,y)');
    expect(query.has('x')).toBe(false);
  });
});
