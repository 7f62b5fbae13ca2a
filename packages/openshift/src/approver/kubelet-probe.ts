import { connect, type TLSSocket } from 'node:tls';
import { type Certificate, CertificateVerifier, type Clock, parseCertificates } from '@slipway/base';

/** Where a kubelet serves, and who vouches for it. */
export interface KubeletAddress {
  readonly ip: string;
  readonly port: number;
  /** PEM. */
  readonly authority: string;
}

/** Asks a kubelet which certificate it serves now; undefined when it does not answer, or nobody vouches for it. */
export type KubeletProbe = (kubelet: KubeletAddress, signal: AbortSignal) => Promise<Certificate | undefined>;

const dialMs = 30_000;
/** Each may take half a minute; those beyond are tried again later, and approvals by machine go on meanwhile. */
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
      // It does not run, or shows something else: then its machine has to vouch for it.
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
    const timer = clock.setTimer(dialMs, () => end(new Error('the kubelet did not answer in time')));
    const onAbort = (): void => end(new Error('asking the kubelet was given up'));
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
