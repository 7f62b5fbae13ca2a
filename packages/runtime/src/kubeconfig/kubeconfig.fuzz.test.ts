import fc from 'fast-check';
import { expect, it } from 'vitest';
import { connectionOf, KubeconfigError, parseKubeconfig } from './index.js';

const sample = `apiVersion: v1
kind: Config
current-context: one
contexts: [{ name: one, context: { cluster: c, user: u, namespace: n } }]
clusters: [{ name: c, cluster: { server: 'https://127.0.0.1:6443', certificate-authority-data: aGFsbG8= } }]
users:
- name: u
  user: { token: abc, exec: { apiVersion: client.authentication.k8s.io/v1, command: x, args: [a], env: [{ name: A, value: B }] } }
`;

/** The sample with pieces replaced by other bytes, cut short, or doubled. */
const damaged = fc
  .array(fc.record({ at: fc.nat(sample.length), length: fc.nat(20), text: fc.string({ maxLength: 12 }) }), {
    maxLength: 6,
  })
  .map((edits) =>
    edits.reduce((text, { at, length, text: by }) => text.slice(0, at) + by + text.slice(at + length), sample),
  );

function isReadOrRefused(content: string | Uint8Array): boolean {
  try {
    connectionOf(parseKubeconfig(content), { inlineOnly: true });
    return true;
  } catch (error) {
    return error instanceof KubeconfigError;
  }
}

it('parses or rejects a damaged kubeconfig with a KubeconfigError', () => {
  const content = fc.oneof(damaged, fc.string(), fc.uint8Array());
  expect(() => fc.assert(fc.property(content, isReadOrRefused))).not.toThrow();
});
