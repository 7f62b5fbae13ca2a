import type { AdmissionRequest } from '../../contract/index.js';

/** Returns a request to create a ConfigMap, with `changes` applied. */
export function testRequest(changes: Partial<AdmissionRequest> = {}): AdmissionRequest {
  const name = changes.name ?? 'one';
  return {
    operation: 'CREATE',
    user: { username: 'alice', groups: [] },
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    subresource: '',
    namespace: 'default',
    name,
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } },
    oldObject: undefined,
    dryRun: false,
    options: {},
    warn: () => undefined,
    signal: new AbortController().signal,
    ...changes,
  };
}
