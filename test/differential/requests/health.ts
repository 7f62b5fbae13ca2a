import { get, type Script } from '../script.js';

const checks = ['ping', 'log', 'etcd', 'poststarthook/rbac/bootstrap-roles', 'poststarthook/crd-informer-synced'];
const readiness = ['etcd-readiness', 'informer-sync', 'shutdown'];

/** Single checks and their exclusion. The complete list of checks differs, because the servers consist of different parts. */
export const health: Script = {
  name: 'health',
  steps: ['healthz', 'livez', 'readyz'].flatMap((path) => [
    ...checks.map((check) => get(`/${path}/${check}`)),
    ...readiness.map((check) => get(`/${path}/${check}`)),
    get(`/${path}/ping?verbose`),
    get(`/${path}/nothing`),
    get(`/${path}?exclude=etcd`),
    get(`/${path}?exclude=nothing`),
  ]),
};
