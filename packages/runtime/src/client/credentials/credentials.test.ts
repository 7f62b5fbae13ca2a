import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock, VirtualClock } from '@slipway/base';
import type { ConnectionConfig, ExecPlugin } from '../connection-config.js';
import { createCredentials } from './credentials.js';
import type { RunProgram } from './run-program.js';

const server = 'https://api.example.com';
let clock: VirtualClock;
let folder: string;

beforeEach(() => {
  clock = new VirtualClock();
  folder = mkdtempSync(`${tmpdir()}/credentials-test-`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function plugin(changes: Partial<ExecPlugin> = {}): ConnectionConfig {
  const apiVersion = 'client.authentication.k8s.io/v1';
  const exec = {
    apiVersion,
    command: 'login',
    args: [],
    env: [],
    provideClusterInfo: false,
    interactiveMode: 'Never',
    ...changes,
  };
  return { server, certificateAuthority: { data: 'CA' }, exec: exec as ExecPlugin };
}

function answer(status: object, apiVersion = 'client.authentication.k8s.io/v1'): string {
  return JSON.stringify({ kind: 'ExecCredential', apiVersion, status });
}

describe('request headers', () => {
  it.each([
    { name: 'a token', config: { token: { data: 't' } }, expected: { authorization: 'Bearer t' } },
    {
      name: 'a password',
      config: { basic: { username: 'a', password: 'b' } },
      expected: { authorization: 'Basic YTpi' },
    },
    {
      name: 'impersonation',
      config: { impersonate: { user: 'jane', uid: '1', groups: ['x', 'y'], extra: new Map([['Acme/Scope', ['v']]]) } },
      expected: {
        'impersonate-user': 'jane',
        'impersonate-uid': '1',
        'impersonate-group': ['x', 'y'],
        'impersonate-extra-acme%2fscope': ['v'],
      },
    },
    { name: 'nobody', config: {}, expected: {} },
  ])('contain $name', async ({ config, expected }) => {
    expect(await createCredentials({ server, ...config }, clock).headers()).toEqual(expected);
  });

  it('reads a token file again every minute, and immediately after a 401', async () => {
    const file = `${folder}/token`;
    const credentials = createCredentials({ server, token: { file } }, clock);
    await expect(credentials.headers()).rejects.toThrow(`cannot read the token from ${file}: ENOENT`);
    writeFileSync(file, 'one\n');
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer one' });
    writeFileSync(file, 'two\n');
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer one' });
    await clock.advance(60_000);
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer two' });
    writeFileSync(file, 'three\n');
    credentials.refused();
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer three' });
  });
});

describe('exec plugins', () => {
  it('runs the plugin once for all callers until its credential expires or is rejected', async () => {
    let runs = 0;
    const run: RunProgram = () => {
      runs += 1;
      const expirationTimestamp = new Date(clock.now() + 60_000).toISOString();
      return Promise.resolve(answer({ token: `t${runs}`, expirationTimestamp }));
    };
    const credentials = createCredentials(plugin(), clock, run);
    await Promise.all([credentials.headers(), credentials.headers()]);
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer t1' });
    await clock.advance(60_000);
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer t2' });
    credentials.refused();
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer t3' });
  });

  it('accepts certificates from the plugin, and requires new connections when they change', async () => {
    let number = 0;
    const run: RunProgram = () => {
      number += 1;
      return Promise.resolve(answer({ clientCertificateData: `C${Math.ceil(number / 2)}`, clientKeyData: 'K' }));
    };
    const credentials = createCredentials(plugin(), clock, run);
    expect(credentials.certificateVersion).toBe(0);
    expect(await credentials.certificate()).toEqual({ certificate: 'C1', key: 'K' });
    expect(credentials.certificateVersion).toBe(1);
    credentials.refused();
    await credentials.headers();
    expect(credentials.certificateVersion).toBe(1);
    credentials.refused();
    await credentials.headers();
    expect(credentials.certificateVersion).toBe(2);
  });

  it('passes the cluster information to the plugin if provideClusterInfo is set', async () => {
    const seen: unknown[] = [];
    const run: RunProgram = (command, args, options) => {
      seen.push({
        command,
        args,
        info: JSON.parse(options.env['KUBERNETES_EXEC_INFO'] ?? '') as unknown,
        own: options.env['A'],
      });
      return Promise.resolve(answer({ token: 't' }));
    };
    const config = plugin({
      provideClusterInfo: true,
      args: ['x'],
      env: [{ name: 'A', value: 'B' }],
      clusterConfig: { audience: 'y' },
    });
    await createCredentials(config, clock, run).headers();
    expect(seen).toEqual([
      {
        command: 'login',
        args: ['x'],
        own: 'B',
        info: {
          kind: 'ExecCredential',
          apiVersion: 'client.authentication.k8s.io/v1',
          spec: {
            interactive: false,
            cluster: { server, 'certificate-authority-data': 'Q0E=', config: { audience: 'y' } },
          },
        },
      },
    ]);
  });

  it.each([
    {
      name: 'another version',
      output: answer({ token: 't' }, 'client.authentication.k8s.io/v1beta1'),
      message: 'but client.authentication.k8s.io/v1 is configured',
    },
    { name: 'another kind', output: '{}', message: 'its output is not an ExecCredential' },
    { name: 'nothing', output: answer({}), message: 'it returned neither a token nor a client certificate' },
    { name: 'a certificate without a key', output: answer({ clientKeyData: 'K' }), message: 'must be set together' },
  ])('rejects a response of the plugin with $name', async ({ output, message }) => {
    const credentials = createCredentials(plugin(), clock, () => Promise.resolve(output));
    await expect(credentials.headers()).rejects.toThrow(message);
  });

  it('runs the plugin as a program', async () => {
    const script = `printf '%s' "$ANSWER"`;
    const env = [{ name: 'ANSWER', value: answer({ token: 'from-program' }) }];
    const config = plugin({ command: 'sh', args: ['-c', script], env });
    expect(await createCredentials(config, systemClock).headers()).toEqual({ authorization: 'Bearer from-program' });
  });

  it.each([
    {
      name: 'is not installed',
      changes: { command: 'no-such-program', installHint: 'Get it from us.' },
      message: 'failed: the program was not found\n\nGet it from us.',
    },
    { name: 'fails', changes: { command: 'sh', args: ['-c', 'exit 3'] }, message: 'failed: it ended with exit code 3' },
    { name: 'requires a terminal', changes: { interactiveMode: 'Always' as const }, message: 'it requires a terminal' },
  ])('reports a plugin that $name', async ({ changes, message }) => {
    await expect(createCredentials(plugin(changes), systemClock).headers()).rejects.toThrow(message);
  });
});
