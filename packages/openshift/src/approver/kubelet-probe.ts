import { connect, type TLSSocket } from 'node:tls';
import { type Clock } from '@slipway/base';
import { type Certificate, CertificateVerifier, parseCertificates } from '@slipway/pki';

/** Address of a kubelet and the CA of its serving certificate. */
export interface KubeletAddress {
  readonly ip: string;
  readonly port: number;
  /** CA certificates in PEM. */
  readonly authority: string;
}

/** Reads the serving certificate of a kubelet. Returns undefined if the kubelet does not respond or is not trusted. */
export type KubeletProbe = (kubelet: KubeletAddress, signal: AbortSignal) => Promise<Certificate | undefined>;

const dialMs = 30_000;
/** Maximum concurrent connections. Each may take half a minute; further requests are retried later. */
const dialsMax = 4;

export function createKubeletProbe(clock: Clock): KubeletProbe {
  let dialing = 0;
  return async (kubelet, signal) => {
    if (dialing >= dialsMax) return undefined;
    dialing += 1;
    try {
      const der = await peerCertificate(kubelet, clock, signal);
      const verifier = new CertificateVerifier(parseCertificates(kubelet.authority), { purpose: 'server auth' });
      const result = verifier.verify(der, clock.now());
      return result.ok ? result.certificate : undefined;
    } catch {
      // The kubelet does not run or has another certificate. In that case only the Machine can confirm the request.
      return undefined;
    } finally {
      dialing -= 1;
    }
  };
}

function peerCertificate(
  { ip, port, authority }: KubeletAddress,
  clock: Clock,
  signal: AbortSignal,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket: TLSSocket = connect({ host: ip, port, ca: authority });
    const timer = clock.setTimer(dialMs, () => end(new Error('timed out waiting for the kubelet')));
    const onAbort = (): void => end(new Error('the request to the kubelet was cancelled'));
    const end = (result: Error | Uint8Array): void => {
      timer.cancel();
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      if (result instanceof Error) reject(result);
      else resolve(result);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('error', end);
    socket.once('secureConnect', () => end(socket.getPeerCertificate().raw));
  });
}
