import { expect, it } from 'vitest';
import { fieldManagerName } from './manager-name.js';

const rows: [string | undefined, string, string][] = [
  ['given', 'kubectl/v1.36', 'given'],
  [undefined, 'kubectl/v1.36.0 (linux/amd64) kubernetes/abc', 'kubectl'],
  ['', 'manager/v0.0.0 (linux/amd64)', 'manager'],
  [undefined, 'manager (linux/amd64) kubernetes/$Format', 'manager'],
  [undefined, 'my tool/1.0', 'my tool'],
  [undefined, '', ''],
  [undefined, 'a\u0000b\u200b/1', 'ab'],
  [undefined, 'é'.repeat(100), 'é'.repeat(64)],
];
it.each(rows)('The UA-header prefix names the manager when fieldManager is absent: %s, %s', (manager, agent, name) => {
  expect(fieldManagerName(manager, agent)).toBe(name);
});
