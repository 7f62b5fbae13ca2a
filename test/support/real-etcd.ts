import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { OpensslAuthority } from './openssl-certificates.js';
import { freePorts, type PeerProcess, peerBinary, startPeer } from './peer-process.js';

export interface RealEtcdMember {
  readonly name: string;
  readonly clientPort: number;
  readonly peerUrl: string;
}

/** A cluster of real etcd processes on loopback that require client certificates, as kubeadm starts them. */
export class RealEtcd {
  readonly folder = mkdtempSync(`${tmpdir()}/real-etcd-`);
  readonly #authority = new OpensslAuthority(this.folder, 'etcd-ca');
  readonly #processes = new Map<string, PeerProcess>();
  #members: readonly RealEtcdMember[] = [];

  /** Files of the CA that all members trust. */
  get authority(): { readonly certificate: string; readonly key: string } {
    return {
      certificate: readFileSync(this.#authority.certificateFile, 'utf8'),
      key: readFileSync(`${this.folder}/etcd-ca.key`, 'utf8'),
    };
  }

  get members(): readonly RealEtcdMember[] {
    return this.#members;
  }

  async start(names: readonly string[]): Promise<void> {
    const ports = await freePorts(names.length * 2);
    this.#members = names.map((name, index) => ({
      name,
      clientPort: ports[index * 2] ?? 0,
      peerUrl: `https://127.0.0.1:${ports[index * 2 + 1] ?? 0}`,
    }));
    const initial = this.#members.map(({ name, peerUrl }) => `${name}=${peerUrl}`).join(',');
    for (const member of this.#members) this.#startMember(member, initial);
  }

  /** Opens a stream to the port of a member by the name of its Pod, like a port-forward. */
  connect(podName: string): Promise<Socket> {
    const member = this.#members.find(({ name }) => `etcd-${name}` === podName);
    if (member === undefined) return Promise.reject(new Error(`pods "${podName}" not found`));
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: member.clientPort });
      socket.once('connect', () => resolve(socket));
      socket.once('error', reject);
    });
  }

  async stopMember(name: string): Promise<void> {
    await this.#processes.get(name)?.stop('SIGKILL');
  }

  log(name: string): string {
    return this.#processes.get(name)?.log() ?? '';
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#processes.values()].map((peer) => peer.stop('SIGKILL')));
    rmSync(this.folder, { recursive: true, force: true });
  }

  #startMember({ name, clientPort, peerUrl }: RealEtcdMember, initialCluster: string): void {
    // The certificate has no usable names: members are reached through the API server by the name of their Pod.
    const issued = this.#authority.issue(name, `/CN=${name}`, [
      'extendedKeyUsage=serverAuth,clientAuth',
      'subjectAltName=IP:127.0.0.1',
    ]);
    const clientUrl = `https://127.0.0.1:${clientPort}`;
    const options: Record<string, string> = {
      name,
      'data-dir': `${this.folder}/${name}`,
      'listen-client-urls': clientUrl,
      'advertise-client-urls': clientUrl,
      'listen-peer-urls': peerUrl,
      'initial-advertise-peer-urls': peerUrl,
      'initial-cluster': initialCluster,
      // The election timeout is long: tests choose the leader, and load on the host must not cause an election.
      'heartbeat-interval': '200',
      'election-timeout': '3000',
      'unsafe-no-fsync': 'true',
      'cert-file': issued.certificateFile,
      'key-file': issued.keyFile,
      'trusted-ca-file': this.#authority.certificateFile,
      'client-cert-auth': 'true',
      'peer-cert-file': issued.certificateFile,
      'peer-key-file': issued.keyFile,
      'peer-trusted-ca-file': this.#authority.certificateFile,
      'peer-client-cert-auth': 'true',
    };
    const flags = Object.entries(options).map(([flag, value]) => `--${flag}=${value}`);
    this.#processes.set(name, startPeer(peerBinary('etcd'), flags));
  }
}
