import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Clock } from '@slipway/base';
import { thumbprintsOf } from '@slipway/vsphere';
import { DriverError } from '../api/index.js';
import type { CertificateFacts } from './vcenters.js';

const timeoutMs = 15_000;

/** Reads the server certificate without verification, for the status and for confirmation by the user. */
export async function readCertificate(server: string, port: number, clock: Clock): Promise<CertificateFacts> {
  const certificate = await shownCertificate(server, port, clock);
  if (certificate === undefined)
    throw new DriverError('TLSUntrusted', `${server}:${port} did not present a certificate`);
  const [sha1, sha256] = thumbprintsOf(certificate.raw);
  return { sha1, sha256, notAfter: new Date(certificate.validTo).toISOString() };
}

function shownCertificate(server: string, port: number, clock: Clock): Promise<X509Certificate | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: server,
      port,
      servername: isIP(server) === 0 ? server : '',
      rejectUnauthorized: false,
    });
    const end = (act: () => void): void => {
      timer.cancel();
      socket.destroy();
      act();
    };
    const timer = clock.setTimer(timeoutMs, () =>
      end(() =>
        reject(new DriverError('Unreachable', `${server}:${port} did not respond within ${timeoutMs / 1_000} s`)),
      ),
    );
    socket.once('error', (error: NodeJS.ErrnoException) => end(() => reject(toDriverError(error, server, port))));
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      end(() => resolve(certificate));
    });
  });
}

function toDriverError(error: NodeJS.ErrnoException, server: string, port: number): DriverError {
  const isName = error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN';
  if (isName) return new DriverError('DNSFailure', `failed to resolve ${server}`, { cause: error });
  const words = error.code ?? error.message;
  return new DriverError('Unreachable', `${server}:${port} is not reachable: ${words}`, { cause: error });
}
