import { describe, expect, it } from 'vitest';
import { isProviderName, renamed } from './text.js';

describe('renamed', () => {
  it.each([
    ['PondMachine', 'MyCloudMachine'],
    ['pondMachines', 'myCloudMachines'],
    ['pondmachines', 'mycloudmachines'],
    ['pond://', 'my-cloud://'],
    ['pond-provider', 'my-cloud-provider'],
  ])('replaces the name in %s', (text, expected) => {
    expect(renamed(text, 'my-cloud')).toBe(expected);
  });
});

it.each(['Lake', '1lake', 'a', 'lake-', 'my--lake', 'a/b', '../lake'])('rejects the provider name %s', (name) => {
  expect(isProviderName(name)).toBe(false);
});
