import { describe, expect, it } from 'vitest';
import { parseRequestInfo, type RequestInfo } from './request-info.js';

const rows: { name: string; method?: string; url: string; then: Partial<RequestInfo> }[] = [
  {
    name: 'parses a core object',
    url: '/api/v1/namespaces/a/pods/b',
    then: { verb: 'get', namespace: 'a', resource: 'pods', name: 'b' },
  },
  {
    name: 'sets the namespace of a namespace object to its name',
    url: '/api/v1/namespaces/a',
    then: { verb: 'get', namespace: 'a', resource: 'namespaces', name: 'a' },
  },
  {
    name: 'parses finalize of a namespace',
    method: 'PUT',
    url: '/api/v1/namespaces/a/finalize',
    then: { verb: 'update', namespace: 'a', resource: 'namespaces', name: 'a', subresource: 'finalize' },
  },
  {
    name: 'parses a subresource of a named group',
    method: 'PATCH',
    url: '/apis/apps/v1/namespaces/a/deployments/b/status',
    then: { verb: 'patch', group: 'apps', version: 'v1', resource: 'deployments', subresource: 'status' },
  },
  {
    name: 'parses a cluster-scoped list',
    url: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    then: { verb: 'list', resource: 'clusterroles', namespace: '' },
  },
  { name: 'treats an empty watch parameter as true', url: '/api/v1/pods?watch=', then: { verb: 'watch' } },
  { name: 'treats watch=0 as a list', url: '/api/v1/pods?watch=0', then: { verb: 'list' } },
  {
    name: 'parses the legacy watch prefix',
    url: '/api/v1/watch/namespaces/a/pods/b',
    then: { verb: 'watch', legacyWatch: true, name: 'b', namespace: 'a' },
  },
  {
    name: 'parses deletecollection',
    method: 'DELETE',
    url: '/api/v1/namespaces/a/pods',
    then: { verb: 'deletecollection' },
  },
  {
    name: 'takes the name from fieldSelector metadata.name for RBAC',
    url: '/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%3Dx',
    then: { verb: 'list', name: '', authorizedName: 'x' },
  },
  {
    name: 'decodes names such as `system%3Anode`',
    url: '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode',
    then: { name: 'system:node' },
  },
  {
    name: 'treats a group version as a non-resource path',
    url: '/apis/apps/v1',
    then: { isResource: false, verb: 'get' },
  },
  { name: 'ignores a trailing slash', url: '/api/v1/namespaces/', then: { verb: 'list', resource: 'namespaces' } },
  { name: 'marks a path with too many segments', url: '/api/v1/namespaces/a/pods/b/proxy/c', then: { extra: true } },
];

describe('request attributes', () => {
  it.each(rows)('$name', ({ method, url, then }) => {
    expect(parseRequestInfo(method ?? 'GET', url)).toMatchObject(then);
  });

  it('rejects invalid percent-encoding', () => {
    expect(() => parseRequestInfo('GET', '/api/v1/namespaces/%zz')).toThrow('not properly encoded');
  });

  it('decodes label selectors with encoded commas and parentheses', () => {
    const { query } = parseRequestInfo('GET', '/api/v1/pods?labelSelector=a+in+%28x%2Cy%29&x=%zz');
    expect(query.get('labelSelector')).toBe('a in (x,y)');
    expect(query.has('x')).toBe(false);
  });
});
