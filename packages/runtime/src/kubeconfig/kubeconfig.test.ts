import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectionOf } from './connection-of.js';
import { KubeconfigError, mergeKubeconfigs, parseKubeconfig } from './kubeconfig.js';
import { findConnection, inClusterConfig, loadKubeconfig } from './load-kubeconfig.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(`${tmpdir()}/kubeconfig-test-`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly context?: object;
}

function config(parts: Parts = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'one',
    clusters: [{ name: 'c', cluster: { server: 'https://10.0.0.1:6443', ...parts.cluster } }],
    users: [{ name: 'u', user: parts.user ?? {} }],
    contexts: [{ name: 'one', context: { cluster: 'c', user: 'u', ...parts.context } }],
  });
}

describe('contexts of a kubeconfig', () => {
  const rows: { name: string; parts: Parts; expected: object }[] = [
    {
      name: 'reads a cluster with only an address',
      parts: {},
      expected: { server: 'https://10.0.0.1:6443', namespace: 'default' },
    },
    {
      name: 'reads inline data',
      parts: {
        cluster: { 'certificate-authority-data': base64('CA'), 'tls-server-name': 'api' },
        user: { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') },
        context: { namespace: 'work' },
      },
      expected: {
        certificateAuthority: { data: 'CA' },
        tlsServerName: 'api',
        clientCertificate: { data: 'CERT' },
        clientKey: { data: 'KEY' },
        namespace: 'work',
      },
    },
    {
      name: 'reads files with paths relative to the kubeconfig',
      parts: {
        cluster: { 'certificate-authority': 'pki/ca.crt' },
        user: { 'client-certificate': '/abs/a.crt', 'client-key': '../a.key', tokenFile: 'token' },
      },
      expected: {
        certificateAuthority: { file: '/etc/kube/pki/ca.crt' },
        clientCertificate: { file: '/abs/a.crt' },
        clientKey: { file: '/etc/a.key' },
        token: { file: '/etc/kube/token' },
      },
    },
    {
      name: 'prefers inline data over a file, and a token file over a token',
      parts: {
        cluster: { 'certificate-authority': 'ca.crt', 'certificate-authority-data': base64('CA') },
        user: { token: 'stale', tokenFile: '/run/token' },
      },
      expected: { certificateAuthority: { data: 'CA' }, token: { file: '/run/token' } },
    },
    {
      name: 'reads impersonation, a proxy and insecure-skip-tls-verify',
      parts: {
        cluster: { 'insecure-skip-tls-verify': true, 'proxy-url': 'http://proxy:3128' },
        user: { username: 'a', password: 'b', as: 'jane', 'as-groups': ['g'], 'as-user-extra': { scope: ['x'] } },
      },
      expected: {
        insecureSkipTlsVerify: true,
        proxyUrl: 'http://proxy:3128',
        basic: { username: 'a', password: 'b' },
        impersonate: { user: 'jane', groups: ['g'], extra: new Map([['scope', ['x']]]) },
      },
    },
    {
      name: 'reads an exec plugin with a relative path',
      parts: {
        cluster: { extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } }] },
        user: {
          exec: {
            apiVersion: 'client.authentication.k8s.io/v1beta1',
            command: './bin/login',
            args: ['a'],
            env: [{ name: 'N', value: 'V' }],
            provideClusterInfo: true,
          },
        },
      },
      expected: {
        exec: {
          command: '/etc/kube/bin/login',
          args: ['a'],
          env: [{ name: 'N', value: 'V' }],
          interactiveMode: 'IfAvailable',
          provideClusterInfo: true,
          clusterConfig: { audience: 'x' },
        },
      },
    },
  ];
  it.each(rows)('$name', ({ parts, expected }) => {
    expect(connectionOf(parseKubeconfig(config(parts), 'config', '/etc/kube'))).toMatchObject(expected);
  });

  it('selects a context other than the current one', () => {
    const text = JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: 'https://a' } }],
      contexts: [{ name: 'two', context: { cluster: 'c' } }],
    });
    expect(connectionOf(parseKubeconfig(text), { context: 'two' })).toMatchObject({
      context: 'two',
      server: 'https://a',
    });
    expect(() => connectionOf(parseKubeconfig(text))).toThrow('has no current-context');
  });

  const invalidRows: { name: string; parts: Parts; message: string }[] = [
    {
      name: 'an unknown cluster',
      parts: { context: { cluster: 'z' } },
      message: 'context "one" refers to cluster "z", which does not exist; available clusters: "c"',
    },
    {
      name: 'an unknown user',
      parts: { context: { user: 'z' } },
      message: 'context "one" refers to user "z", which does not exist; available users: "u"',
    },
    {
      name: 'an invalid address',
      parts: { cluster: { server: 'nowhere' } },
      message: 'cluster "c": server must be an http or https URL, not "nowhere"',
    },
    {
      name: 'data that is not base64',
      parts: { cluster: { 'certificate-authority-data': '%%%' } },
      message: 'cluster "c": certificate-authority-data is not base64',
    },
    {
      name: 'a certificate without a key',
      parts: { user: { 'client-certificate-data': 'QQ==' } },
      message: 'user "u": a client certificate and its key must be set together',
    },
    {
      name: 'a token and a password',
      parts: { user: { token: 'a', username: 'b' } },
      message: 'user "u": a token and basic authentication are mutually exclusive',
    },
    {
      name: 'an auth provider',
      parts: { user: { 'auth-provider': { name: 'gcp' } } },
      message: 'user "u": auth-provider is no longer supported; use an exec plugin',
    },
    {
      name: 'an old exec version',
      parts: { user: { exec: { command: 'x', apiVersion: 'client.authentication.k8s.io/v1alpha1' } } },
      message: 'supported: client.authentication.k8s.io/v1 and',
    },
    {
      name: 'an exec plugin without an interactive mode',
      parts: { user: { exec: { command: 'x', apiVersion: 'client.authentication.k8s.io/v1' } } },
      message: 'exec.interactiveMode must be one of Never, IfAvailable, Always',
    },
    {
      name: 'a CA together with insecure-skip-tls-verify',
      parts: { cluster: { 'insecure-skip-tls-verify': true, 'certificate-authority-data': 'QQ==' } },
      message: 'insecure-skip-tls-verify are mutually exclusive',
    },
    {
      name: 'an unsupported proxy scheme',
      parts: { cluster: { 'proxy-url': 'socks5://p' } },
      message: 'only http proxies are supported',
    },
    {
      name: 'a relative path in a kubeconfig that is not a file',
      parts: { user: { tokenFile: 'token' } },
      message: 'the path token is relative, but the kubeconfig was not read from a file',
    },
  ];
  it.each(invalidRows)('rejects $name', ({ parts, message }) => {
    const work = (): unknown => connectionOf(parseKubeconfig(config(parts)));
    expect(work).toThrow(KubeconfigError);
    expect(work).toThrow(message);
  });

  it.each([
    { user: { exec: { command: 'x', apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never' } } },
    { user: { tokenFile: '/run/secrets/token' } },
    { user: { 'client-certificate': '/a', 'client-key': '/b' } },
    { cluster: { 'certificate-authority': '/etc/passwd' } },
  ])('rejects programs and files in an untrusted kubeconfig: %o', (parts) => {
    expect(() => connectionOf(parseKubeconfig(config(parts)), { inlineOnly: true })).toThrow('is not allowed here');
  });
});

describe('proxies from environment variables', () => {
  const proxied = (server: string, noProxy: string): string | undefined => {
    const env = { HTTPS_PROXY: 'http://proxy:1', NO_PROXY: noProxy };
    return connectionOf(parseKubeconfig(config({ cluster: { server } })), { env }).proxyUrl;
  };
  it.each([
    { server: 'https://api.example.com', noProxy: '', used: true },
    { server: 'https://api.example.com', noProxy: 'other.com, example.com', used: false },
    { server: 'https://api.example.com', noProxy: '.example.com', used: false },
    { server: 'https://badexample.com', noProxy: 'example.com', used: true },
    { server: 'https://api.example.com:6443', noProxy: '*', used: false },
    { server: 'https://127.0.0.1:6443', noProxy: '', used: false },
    { server: 'http://api.example.com', noProxy: '', used: false },
  ])('selects the proxy for $server with NO_PROXY=$noProxy', ({ server, noProxy, used }) => {
    expect(proxied(server, noProxy)).toBe(used ? 'http://proxy:1' : undefined);
  });
});

describe('kubeconfig files', () => {
  it('merges the files of KUBECONFIG in order, and resolves paths relative to each file', () => {
    mkdirSync(`${folder}/sub`);
    writeFileSync(`${folder}/first`, config({ user: { tokenFile: 'token' } }));
    writeFileSync(
      `${folder}/sub/second`,
      config({ cluster: { server: 'https://ignored' } }).replaceAll('"one"', '"two"'),
    );
    const env = { KUBECONFIG: `${folder}/missing:${folder}/first:${folder}/sub/second` };
    const merged = loadKubeconfig({ env });
    expect(merged.currentContext).toBe('one');
    expect([...merged.contexts.keys()].sort()).toEqual(['one', 'two']);
    const connection = connectionOf(merged, { context: 'two' });
    expect(connection).toMatchObject({ server: 'https://10.0.0.1:6443', token: { file: `${folder}/token` } });
  });

  it('looks for a file in the home directory, and explains its absence', () => {
    expect(() => loadKubeconfig({ env: { HOME: folder } })).toThrow(
      `no kubeconfig found: looked for ${folder}/.kube/config`,
    );
    expect(() => loadKubeconfig({ file: `${folder}/x` })).toThrow(`cannot read ${folder}/x: ENOENT`);
    mkdirSync(`${folder}/.kube`);
    writeFileSync(`${folder}/.kube/config`, config());
    expect(findConnection({ env: { HOME: folder } }).server).toBe('https://10.0.0.1:6443');
  });

  it.each([
    { text: '[1]', message: 'kubeconfig is not a kubeconfig: the top level must be a mapping' },
    { text: '{"kind":"Pod"}', message: 'kubeconfig has kind "Pod", want Config' },
    { text: '{"clusters":{}}', message: 'kubeconfig: clusters must be a list' },
    { text: '{"users":[{"user":{}}]}', message: 'kubeconfig: users[0] has no name' },
    { text: 'a: [', message: 'kubeconfig is neither YAML nor JSON' },
  ])('rejects an invalid file: $text', ({ text, message }) => {
    expect(() => parseKubeconfig(text)).toThrow(message);
  });

  it('accepts an empty file', () => {
    expect(mergeKubeconfigs([parseKubeconfig('')]).contexts.size).toBe(0);
  });
});

describe('in-cluster configuration', () => {
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };

  it('uses the service account of the Pod', () => {
    for (const [name, text] of [
      ['token', 'T'],
      ['ca.crt', 'CA'],
      ['namespace', 'home\n'],
    ] as const)
      writeFileSync(`${folder}/${name}`, text);
    expect(inClusterConfig(env, folder)).toEqual({
      server: 'https://[fd00::1]:443',
      token: { file: `${folder}/token` },
      certificateAuthority: { file: `${folder}/ca.crt` },
      context: 'in-cluster',
      namespace: 'home',
    });
  });

  it('returns undefined outside a Pod', () => {
    expect(inClusterConfig(env, folder)).toBeUndefined();
    expect(inClusterConfig({}, folder)).toBeUndefined();
  });
});
