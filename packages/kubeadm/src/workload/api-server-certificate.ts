import type { Duplex } from 'node:stream';
import { connect as connectTls, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import type { Clock } from '@slipway/base';
import type { WorkloadCluster } from '@slipway/cluster-api';
import { withDeadline } from '../etcd/index.js';
import { WorkloadError } from './control-plane-workload.js';
import { staticPodName, systemNamespace } from './static-pod-finding.js';

const timeoutMs = 15_000;
/** Common name that distinguishes the certificate of kubeadm from one that a user configured in front of the API server. */
const commonName = 'kube-apiserver';

interface CertificateProbe {
  readonly workload: Pick<WorkloadCluster, 'portForward'>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

/**
 * Returns when the certificate of the API server on a Node expires. Reads the certificate that the server presents, without
 * verifying it.
 */
export function apiServerCertificateExpiry(
  { workload, clock, signal }: CertificateProbe,
  nodeName: string,
  port: number,
): Promise<number> {
  const failed = (why: string, cause?: unknown): WorkloadError =>
    new WorkloadError(
      'CertificateUnreadable',
      `unable to get certificate expiry for kube-apiserver on Node/${nodeName}: ${why}`,
      { cause },
    );
  const timedOut = (): WorkloadError => failed(`no response within ${timeoutMs / 1000} s`);
  return withDeadline(clock, timeoutMs, timedOut, signal, async (linked) => {
    const pod = { namespace: systemNamespace, name: staticPodName('kube-apiserver', nodeName) };
    let socket: TLSSocket | undefined;
    try {
      socket = await handshake(await workload.portForward(pod, port, { signal: linked }), linked);
      const certificate = chainOf(socket).find(({ subject }) => subject.CN === commonName);
      if (certificate === undefined) throw failed(`couldn't get peer certificate with cn="${commonName}"`);
      return Date.parse(certificate.valid_to);
    } catch (error) {
      if (linked.aborted || error instanceof WorkloadError) throw error;
      throw failed(error instanceof Error ? error.message : String(error), error);
    } finally {
      socket?.destroy();
    }
  });
}

function handshake(stream: Duplex, signal: AbortSignal): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ socket: stream, rejectUnauthorized: false });
    const fail = (error: Error): void => {
      socket.destroy();
      stream.destroy();
      reject(error);
    };
    if (signal.aborted) fail(signal.reason as Error);
    signal.addEventListener('abort', () => fail(signal.reason as Error), { once: true });
    stream.on('error', fail);
    socket.on('error', fail);
    socket.once('close', () => fail(new Error('the connection was closed during the TLS handshake')));
    socket.once('secureConnect', () => resolve(socket));
  });
}

/** Returns the presented certificate and its chain. */
function chainOf(socket: TLSSocket): DetailedPeerCertificate[] {
  const chain: DetailedPeerCertificate[] = [];
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  while (next?.subject !== undefined && !chain.includes(next)) {
    chain.push(next);
    next = next.issuerCertificate;
  }
  return chain;
}
