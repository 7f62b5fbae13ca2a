import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { createKey, OpensslAuthority, publicKeyOf } from './openssl-certificates.js';
import { freePorts, type PeerProcess, peerBinary, startPeer } from './peer-process.js';

export interface RealKubeApiserverOptions {
  /** Additional flags for kube-apiserver; they override the defaults. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Whether to run kube-controller-manager too, which terminates namespaces, creates service accounts and collects garbage. */
  readonly controllerManager?: boolean;
  /** Whether etcd flushes every write to disk, as in production. Off by default, because tests do not need durability. */
  readonly durable?: boolean;
  /** More flags for kube-controller-manager, given the folder that holds the certificates (`ca.crt`, `ca.key`). */
  readonly controllerManagerFlags?: (folder: string) => Readonly<Record<string, string>>;
}

export interface RealKubeApiserver {
  /** `https://127.0.0.1:port` */
  readonly url: string;
  readonly port: number;
  /** A kubeconfig of a user in system:masters, as text and as a file. */
  readonly kubeconfig: string;
  readonly kubeconfigFile: string;
  readonly certificateAuthority: string;
  /** Address of etcd, which serves its HTTP gateway without authentication on loopback. */
  readonly etcdUrl: string;
  /** A separate directory, removed by `stop`. */
  readonly folder: string;
  readonly log: () => string;
  /** The server processes, for measuring their resource usage. */
  readonly processIds: readonly number[];
  /** Returns a kubeconfig with a client certificate of another user and its groups. */
  kubeconfigFor(user: string, groups?: readonly string[]): string;
  /** Stops kube-apiserver, by default with SIGKILL, and restarts it on the same port and data. */
  restart(signal?: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

const startAttempts = 3;

/** Starts etcd and kube-apiserver on free loopback ports, with their own certificates in a temporary directory. */
export async function startRealKubeApiserver(options: RealKubeApiserverOptions = {}): Promise<RealKubeApiserver> {
  // Retry: another test may take a free port before it is used.
  for (let attempt = 1; ; attempt += 1) {
    const server = new Server(options);
    try {
      await server.start();
      return server;
    } catch (error) {
      await server.stop();
      if (attempt === startAttempts || !/address already in use/.test(String(error))) throw error;
    }
  }
}

class Server implements RealKubeApiserver {
  readonly folder = mkdtempSync(`${tmpdir()}/real-kube-apiserver-`);
  readonly #options: RealKubeApiserverOptions;
  readonly #authority = new OpensslAuthority(this.folder, 'ca');
  #etcdUrl = '';
  #etcd: PeerProcess | undefined;
  #apiserver: PeerProcess | undefined;
  #controllerManager: PeerProcess | undefined;
  port = 0;
  kubeconfig = '';

  constructor(options: RealKubeApiserverOptions) {
    this.#options = options;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  get etcdUrl(): string {
    return this.#etcdUrl;
  }

  get kubeconfigFile(): string {
    return `${this.folder}/admin.kubeconfig`;
  }

  get certificateAuthority(): string {
    return readFileSync(this.#authority.certificateFile, 'utf8');
  }

  log = (): string => this.#apiserver?.log() ?? '';

  get processIds(): readonly number[] {
    return [this.#etcd, this.#apiserver].flatMap((peer) => (peer === undefined ? [] : [peer.pid]));
  }

  async start(): Promise<void> {
    const [etcdPort = 0, peerPort = 0, apiPort = 0] = await freePorts(3);
    this.port = apiPort;
    this.#etcdUrl = `http://127.0.0.1:${etcdPort}`;
    this.#writeCertificates();
    this.kubeconfig = this.kubeconfigFor('admin', ['system:masters']);
    writeFileSync(this.kubeconfigFile, this.kubeconfig, { mode: 0o600 });
    const peerUrl = `http://127.0.0.1:${peerPort}`;
    this.#etcd = startPeer(
      peerBinary('etcd'),
      flags({
        'data-dir': `${this.folder}/etcd`,
        'listen-client-urls': this.#etcdUrl,
        'advertise-client-urls': this.#etcdUrl,
        'listen-peer-urls': peerUrl,
        'initial-advertise-peer-urls': peerUrl,
        'initial-cluster': `default=${peerUrl}`,
        'unsafe-no-fsync': String(this.#options.durable !== true),
      }),
    );
    await this.#startApiserver();
    if (this.#options.controllerManager === true) this.#startControllerManager();
  }

  kubeconfigFor(user: string, groups: readonly string[] = []): string {
    const subject = `${groups.map((group) => `/O=${group}`).join('')}/CN=${user}`;
    const issued = this.#authority.issue(`client-${fileName(user)}`, subject, ['extendedKeyUsage=clientAuth']);
    const base64 = (path: string): string => readFileSync(path).toString('base64');
    return JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'real',
          cluster: { server: this.url, 'certificate-authority-data': base64(this.#authority.certificateFile) },
        },
      ],
      users: [
        {
          name: user,
          user: {
            'client-certificate-data': base64(issued.certificateFile),
            'client-key-data': base64(issued.keyFile),
          },
        },
      ],
      contexts: [{ name: 'real', context: { cluster: 'real', user } }],
      'current-context': 'real',
    });
  }

  async restart(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.#apiserver?.stop(signal);
    await this.#startApiserver();
  }

  async stop(): Promise<void> {
    await this.#controllerManager?.stop('SIGKILL');
    await this.#apiserver?.stop('SIGKILL');
    await this.#etcd?.stop('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  #writeCertificates(): void {
    const names = 'subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:kubernetes,DNS:kubernetes.default.svc,IP:10.0.0.1';
    this.#authority.issue('apiserver', '/CN=kube-apiserver', [names, 'extendedKeyUsage=serverAuth']);
    createKey(`${this.folder}/service-account.key`);
    publicKeyOf(`${this.folder}/service-account.key`, `${this.folder}/service-account.pub`);
  }

  async #startApiserver(): Promise<void> {
    const peer = startPeer(
      peerBinary('kube-apiserver'),
      flags({
        'etcd-servers': this.#etcdUrl,
        'secure-port': String(this.port),
        'bind-address': '127.0.0.1',
        'advertise-address': '127.0.0.1',
        'endpoint-reconciler-type': 'none',
        'tls-cert-file': `${this.folder}/apiserver.crt`,
        'tls-private-key-file': `${this.folder}/apiserver.key`,
        'client-ca-file': this.#authority.certificateFile,
        'cert-dir': this.folder,
        'service-account-issuer': this.url,
        'service-account-key-file': `${this.folder}/service-account.pub`,
        'service-account-signing-key-file': `${this.folder}/service-account.key`,
        'service-cluster-ip-range': '10.0.0.0/24',
        'authorization-mode': 'Node,RBAC',
        'allow-privileged': 'true',
        ...(this.#options.controllerManager === true ? {} : { 'disable-admission-plugins': 'ServiceAccount' }),
        ...this.#options.flags,
      }),
    );
    this.#apiserver = peer;
    await this.#untilReady(peer);
  }

  #startControllerManager(): void {
    this.#controllerManager = startPeer(
      peerBinary('kube-controller-manager'),
      flags({
        kubeconfig: this.kubeconfigFile,
        'authentication-kubeconfig': this.kubeconfigFile,
        'authorization-kubeconfig': this.kubeconfigFile,
        'leader-elect': 'false',
        'secure-port': '0',
        'root-ca-file': this.#authority.certificateFile,
        'service-account-private-key-file': `${this.folder}/service-account.key`,
        'use-service-account-credentials': 'false',
        ...this.#options.controllerManagerFlags?.(this.folder),
      }),
    );
  }

  async #untilReady(peer: PeerProcess): Promise<void> {
    const deadline = Date.now() + 120_000;
    while (!(await this.#isReady())) {
      // If the port of etcd is in use, kube-apiserver only reports a connection error.
      if (peer.exited || this.#etcd?.exited === true || Date.now() > deadline)
        throw new Error(`kube-apiserver did not start:\n${peer.log().slice(-4000)}\n${this.#etcdLog()}`);
      // Poll the readiness endpoint of the process.
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  #etcdLog(): string {
    return this.#etcd?.log().slice(-4000) ?? '';
  }

  #isReady(): Promise<boolean> {
    return new Promise((resolve) => {
      const options = { ca: this.certificateAuthority, agent: false, timeout: 5_000 };
      const call = request(`${this.url}/readyz`, options, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      });
      call.on('timeout', () => call.destroy());
      call.on('error', () => resolve(false));
      call.end();
    });
  }
}

function flags(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([name, value]) => `--${name}=${value}`);
}

function fileName(user: string): string {
  return user.replaceAll(/[^A-Za-z0-9.-]/g, '_');
}
