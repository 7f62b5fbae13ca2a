import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CertificateSource, ServingCertificate } from './certificates.js';

export interface FileCertificatesOptions {
  readonly directory: string;
  readonly certificateName?: string;
  readonly keyName?: string;
}

/**
 * Returns a certificate from a directory, which another program renews, such as cert-manager in a mounted Secret. The files are
 * read at every check. `ca.crt` in the directory is the CA bundle. If it does not exist, the issuer must distribute the CA.
 */
export function fileCertificates(options: FileCertificatesOptions): CertificateSource {
  const { directory, certificateName = 'tls.crt', keyName = 'tls.key' } = options;
  return {
    async current(): Promise<ServingCertificate> {
      const [cert, key, caBundle] = await Promise.all([
        readFile(join(directory, certificateName), 'utf8'),
        readFile(join(directory, keyName), 'utf8'),
        readFile(join(directory, 'ca.crt'), 'utf8').catch(absent),
      ]);
      return { cert, key, caBundle };
    },
  };
}

function absent(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
