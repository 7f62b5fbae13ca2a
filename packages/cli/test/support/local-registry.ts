import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

interface ServedPackage {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly tarball: () => Buffer;
}

/**
 * A package registry on the loopback interface: it serves the tarballs of a directory, and third-party packages as they are
 * installed in the repository. npm installs from it as from any other registry, without a network.
 */
export class LocalRegistry {
  readonly #server: Server;
  readonly #packages = new Map<string, ServedPackage[]>();

  private constructor(tarballs: string) {
    for (const file of readdirSync(tarballs).filter((name) => name.endsWith('.tgz')))
      this.#add(packedPackage(join(tarballs, file)));
    for (const folder of installedFolders()) this.#add(installedPackage(folder));
    this.#server = createServer((request, response) => {
      const path = decodeURIComponent(request.url ?? '/').slice(1);
      const [name = '', version] = path.split('/-/');
      const served = this.#packages.get(name);
      if (served === undefined) response.writeHead(404).end('{}');
      else if (version === undefined) response.end(JSON.stringify(this.#describe(name, served)));
      else response.end(served.find(({ manifest }) => manifest.version === version)?.tarball());
    });
  }

  static async start(tarballs: string): Promise<LocalRegistry> {
    const registry = new LocalRegistry(tarballs);
    await new Promise<void>((resolve) => registry.#server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #add(served: ServedPackage): void {
    const { name } = served.manifest;
    const known = this.#packages.get(name);
    if (known === undefined) this.#packages.set(name, [served]);
    else if (known.every(({ manifest }) => manifest.version !== served.manifest.version)) known.push(served);
  }

  #describe(name: string, served: readonly ServedPackage[]): object {
    const versions = served.map(({ manifest, tarball }) => [
      manifest.version,
      { ...manifest, dist: { tarball: `${this.url}${name}/-/${manifest.version}`, shasum: checksum(tarball()) } },
    ]);
    const latest = served.at(-1)?.manifest.version;
    return { name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) };
  }
}

function checksum(data: Buffer): string {
  return createHash('sha1').update(data).digest('hex');
}

function packedPackage(file: string): ServedPackage {
  const manifest = execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' });
  return { manifest: JSON.parse(manifest) as ServedPackage['manifest'], tarball: () => readFileSync(file) };
}

function installedPackage(folder: string): ServedPackage {
  let packed: Buffer | undefined;
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as ServedPackage['manifest'];
  const pack = ['-cz', '--exclude=./node_modules', '--transform=s,^\\.,package,', '-C', folder, '.'];
  return { manifest, tarball: () => (packed ??= execFileSync('tar', pack, { maxBuffer: 200_000_000 })) };
}

/** Returns the directories of the third-party packages that package-lock.json lists and that are installed on this platform. */
function installedFolders(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly link?: boolean }>>;
  };
  return Object.entries(packages)
    .filter(([path, { link }]) => path.startsWith('node_modules/') && link !== true)
    .map(([path]) => join(root, path))
    .filter((folder) => existsSync(join(folder, 'package.json')));
}
