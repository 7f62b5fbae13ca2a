import type { Clock } from '@slipway/base';
import { type JsonObject, parseJsonValue, parseTime } from '@slipway/kube';
import type { ConnectionConfig, ExecPlugin } from '../connection-config.js';
import { ConnectionError } from '../connection-error.js';
import { readContent } from './content.js';
import { runProgram as runProgramDefault, type RunProgram } from './run-program.js';

export type { RunProgram } from './run-program.js';

export interface ExecCredential {
  readonly token?: string;
  readonly certificate?: { readonly certificate: string; readonly key: string };
  /** Wall-clock time in milliseconds. Absent if the credential does not expire. */
  readonly expiresAt?: number;
}

const pluginTimeoutMs = 60_000;

/**
 * Returns the credential of an exec plugin. Concurrent callers share one run of the plugin; it runs again when the credential has
 * expired or was rejected.
 */
export class ExecCredentialSource {
  readonly #plugin: ExecPlugin;
  readonly #config: ConnectionConfig;
  readonly #clock: Clock;
  readonly #run: RunProgram;
  #current: ExecCredential | undefined;
  #running: Promise<ExecCredential> | undefined;
  #certificateVersion = 0;
  #lastCertificate: string | undefined;

  constructor(plugin: ExecPlugin, config: ConnectionConfig, clock: Clock, run: RunProgram = runProgramDefault) {
    this.#plugin = plugin;
    this.#config = config;
    this.#clock = clock;
    this.#run = run;
  }

  get certificateVersion(): number {
    return this.#certificateVersion;
  }

  async get(): Promise<ExecCredential> {
    const current = this.#current;
    if (current !== undefined && (current.expiresAt === undefined || current.expiresAt > this.#clock.now()))
      return current;
    this.#running ??= this.#refresh().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  forget(): void {
    this.#current = undefined;
  }

  async #refresh(): Promise<ExecCredential> {
    const { command, args, env, apiVersion } = this.#plugin;
    const info = { kind: 'ExecCredential', apiVersion, spec: await this.#spec() };
    const extra = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const stopper = new AbortController();
    const timer = this.#clock.setTimer(pluginTimeoutMs, () =>
      stopper.abort(new Error(`it took longer than ${pluginTimeoutMs / 1000} s`)),
    );
    try {
      const output = await this.#run(command, args, {
        env: { ...extra, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
        interactive: this.#plugin.interactiveMode,
        signal: stopper.signal,
      });
      const credential = readExecCredential(output, apiVersion);
      this.#remember(credential);
      return credential;
    } catch (error) {
      throw this.#explain(error);
    } finally {
      timer.cancel();
    }
  }

  async #spec(): Promise<JsonObject> {
    const interactive = this.#plugin.interactiveMode !== 'Never' && process.stdin.isTTY === true;
    if (!this.#plugin.provideClusterInfo) return { interactive };
    const { server, certificateAuthority, tlsServerName, insecureSkipTlsVerify, proxyUrl } = this.#config;
    const authority =
      certificateAuthority === undefined ? undefined : await readContent(certificateAuthority, 'CA certificate');
    return {
      interactive,
      cluster: {
        server,
        ...(tlsServerName === undefined ? {} : { 'tls-server-name': tlsServerName }),
        ...(insecureSkipTlsVerify === true ? { 'insecure-skip-tls-verify': true } : {}),
        ...(authority === undefined
          ? {}
          : { 'certificate-authority-data': Buffer.from(authority, 'utf8').toString('base64') }),
        ...(proxyUrl === undefined ? {} : { 'proxy-url': proxyUrl }),
        ...(this.#plugin.clusterConfig === undefined ? {} : { config: this.#plugin.clusterConfig as JsonObject }),
      },
    };
  }

  #remember(credential: ExecCredential): void {
    this.#current = credential;
    const certificate = credential.certificate?.certificate;
    if (certificate !== this.#lastCertificate) {
      this.#lastCertificate = certificate;
      this.#certificateVersion += 1;
    }
  }

  #explain(error: unknown): ConnectionError {
    const { command, installHint } = this.#plugin;
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const text = missing ? 'the program was not found' : (error as Error).message;
    const hint = missing && installHint !== undefined && installHint !== '' ? `\n\n${installHint}` : '';
    return new ConnectionError('unreachable', `getting credentials from ${command} failed: ${text}${hint}`, {
      unsent: true,
      cause: error,
    });
  }
}

function readExecCredential(output: string, apiVersion: string): ExecCredential {
  const answer = parseJsonValue(output) as JsonObject | null;
  if (answer?.['kind'] !== 'ExecCredential') throw new Error('its output is not an ExecCredential');
  if (answer['apiVersion'] !== apiVersion) {
    throw new Error(
      `it returned apiVersion ${JSON.stringify(answer['apiVersion'] ?? '')}, but ${apiVersion} is configured`,
    );
  }
  const status = (answer['status'] ?? {}) as JsonObject;
  const token = textOf(status['token']);
  const certificate = textOf(status['clientCertificateData']);
  const key = textOf(status['clientKeyData']);
  if (token === undefined && certificate === undefined && key === undefined)
    throw new Error('it returned neither a token nor a client certificate');
  if ((certificate === undefined) !== (key === undefined))
    throw new Error('a client certificate and its key must be set together');
  const expires = textOf(status['expirationTimestamp']);
  const expiresAt = expires === undefined ? undefined : parseTime(expires);
  return {
    ...(token === undefined ? {} : { token }),
    ...(certificate === undefined || key === undefined ? {} : { certificate: { certificate, key } }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
