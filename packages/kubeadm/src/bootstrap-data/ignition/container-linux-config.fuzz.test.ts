import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BootstrapDataError } from '../types.js';
import { readContainerLinuxConfig } from './container-linux-config.js';

const sample = `storage:
  files: [{ path: /etc/a, filesystem: root, mode: 0644, contents: { inline: hello } }]
  directories: [{ path: /etc/b, filesystem: root }]
systemd: { units: [{ name: a.service, enabled: true, contents: '[Unit]', dropins: [{ name: b.conf, contents: c }] }] }
passwd: { users: [{ name: core, ssh_authorized_keys: [key], groups: [sudo] }] }
`;
const damaged = fc
  .array(fc.record({ at: fc.nat(sample.length), length: fc.nat(20), text: fc.string({ maxLength: 12 }) }), {
    maxLength: 5,
  })
  .map((edits) =>
    edits.reduce((text, { at, length, text: by }) => text.slice(0, at) + by + text.slice(at + length), sample),
  );

function isReadOrRefused(text: string, strict: boolean): boolean {
  try {
    readContainerLinuxConfig(text, { strict });
    return true;
  } catch (error) {
    return error instanceof BootstrapDataError;
  }
}

it('parses additional configuration, or rejects it with a BootstrapDataError', () => {
  const text = fc.oneof(damaged, fc.string());
  expect(() => fc.assert(fc.property(text, fc.boolean(), isReadOrRefused))).not.toThrow();
});
