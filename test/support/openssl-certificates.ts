import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

/**
 * Certificates for peers, made by openssl and not by our own code: what is tested against a peer must not share a mistake
 * with what the peer was started with.
 */
export class OpensslAuthority {
  readonly certificateFile: string;
  readonly #keyFile: string;

  constructor(
    private readonly folder: string,
    name: string,
  ) {
    this.certificateFile = `${folder}/${name}.crt`;
    this.#keyFile = `${folder}/${name}.key`;
    createKey(this.#keyFile);
    openssl(
      'req',
      '-x509',
      '-new',
      '-key',
      this.#keyFile,
      '-out',
      this.certificateFile,
      '-days',
      '30',
      '-subj',
      `/CN=${name}`,
    );
  }

  issue(name: string, subject: string, extensions: readonly string[]): { certificateFile: string; keyFile: string } {
    const certificateFile = `${this.folder}/${name}.crt`;
    const keyFile = `${this.folder}/${name}.key`;
    const requestFile = `${this.folder}/${name}.csr`;
    const extensionFile = `${this.folder}/${name}.ext`;
    createKey(keyFile);
    writeFileSync(extensionFile, extensions.join('\n'));
    openssl('req', '-new', '-key', keyFile, '-out', requestFile, '-subj', subject);
    const signer = ['-CA', this.certificateFile, '-CAkey', this.#keyFile, '-CAcreateserial', '-days', '30'];
    openssl('x509', '-req', '-in', requestFile, '-out', certificateFile, '-extfile', extensionFile, ...signer);
    return { certificateFile, keyFile };
  }
}

export function createKey(path: string): void {
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', path);
}

export function publicKeyOf(keyFile: string, path: string): void {
  openssl('ec', '-in', keyFile, '-pubout', '-out', path);
}

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'pipe'] });
}
