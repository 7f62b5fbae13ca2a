import { expect, it } from 'vitest';
import { fieldManagerName } from './field-manager-name.js';

const rows: [string | undefined, string, string][] = [
  ['given', 'kubectl/v1.36', 'given'],
  [undefined, 'kubectl/v1.36.0 (linux/amd64) kubernetes/abc', 'kubectl'],
  ['', 'manager/v0.0.0 (linux/amd64)', 'manager'],
  [undefined, 'manager (linux/amd64) kubernetes/$Format', 'manager'],
  [undefined, 'Terraform Provider Kubernetes/2.0', 'Terraform Provider Kubernetes'],
  [undefined, 'Go-http-client/2.0', 'Go-http-client'],
  [undefined, '', ''],
  [undefined, 'a\u0000b\u200b/1', 'ab'],
  [undefined, 'é'.repeat(100), 'é'.repeat(64)],
  [undefined, 'a'.repeat(200), 'a'.repeat(128)],
];
it.each(rows)('uses the prefix of the User-Agent if fieldManager is absent: %s, %s', (manager, agent, name) => {
  expect(fieldManagerName(manager, agent)).toBe(name);
});
