import { expect, it } from 'vitest';
import type { Status } from './read-status.js';
import { statusText } from './text.js';

const now = Date.UTC(2026, 0, 1);
const stopped: Status = {
  running: false,
  ready: false,
  dataDirectory: '/data',
  dataBytes: 1_572_864,
  certificates: [{ name: 'ca', notAfter: '2035-12-30T00:00:00.000Z' }],
};

it('reports that no instance is running, and the content of the data directory', () => {
  expect(statusText(stopped, now)).toBe(`Slipway is not running; start it with \`slipway up\`
  data     /data (1.5 MiB)
  ca.crt   valid until 2035-12-30 (10y left)
`);
});

it('reports the state of a running instance', () => {
  const running: Status = {
    ...stopped,
    running: true,
    ready: true,
    pid: 42,
    endpoint: 'https://127.0.0.1:6443',
    version: '0.1.0',
    kubernetesVersion: 'v1.36.3',
    apiOnly: true,
    kubeconfig: '/data/admin.conf',
    uptimeSeconds: 133,
    certificates: [{ name: 'admin', notAfter: '2025-12-30T00:00:00.000Z' }],
  };
  expect(statusText(running, now)).toBe(`Slipway is running and ready
  endpoint     https://127.0.0.1:6443
  version      0.1.0, Kubernetes API v1.36.3, API only
  uptime       2m13s
  process      42
  kubeconfig   /data/admin.conf
  data         /data (1.5 MiB)
  admin.crt    valid until 2025-12-30 (expired)
`);
  expect(statusText({ ...running, ready: false, problem: 'it is still starting' }, now)).toContain(
    'Slipway is running, but not ready: it is still starting\n',
  );
});
