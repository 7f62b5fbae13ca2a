import { expect, it } from 'vitest';
import { managerOfUserAgent } from './user-agent.js';

it.each([
  ['manager (linux/amd64) controller-runtime', 'manager'],
  ['kubectl/v1.36.0 (linux/amd64) kubernetes/abc', 'kubectl'],
  ['Go-http-client/2.0', 'Go-http-client'],
  ['', ''],
  [`${'ä'.repeat(100)}/1`, 'ä'.repeat(64)],
  ['a\u0000b/1', 'ab'],
])('The UA-header prefix names the manager when fieldManager is absent: %s', (userAgent, manager) => {
  expect(managerOfUserAgent(userAgent)).toBe(manager);
});
