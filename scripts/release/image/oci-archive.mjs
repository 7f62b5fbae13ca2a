// Writes container images as OCI archives without a container runtime. The same content gives the same bytes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { setFileModes } from '../file-modes.mjs';

const architectures = { x64: 'amd64', arm64: 'arm64' };
const type = (name) => `application/vnd.oci.image.${name}`;

/** Returns a directory as a tar archive without times, owners and the order of the file system. */
function archive(folder, paths = ['.'], owner = 0) {
  const plain = [
    '--sort=name',
    '--mtime=@0',
    `--owner=${owner}`,
    `--group=${owner}`,
    '--numeric-owner',
    '--format=gnu',
  ];
  return execFileSync('tar', [...plain, '-cf', '-', '-C', folder, ...paths], { maxBuffer: 1024 ** 3 });
}

/** Returns a directory, or some paths in it, as a compressed layer. */
export function layerOf(folder, { paths, owner } = {}) {
  const content = archive(folder, paths, owner);
  return { diffId: `sha256:${digestOf(content)}`, compressed: gzipSync(content), unpackedBytes: content.length };
}

const digestOf = (content) => createHash('sha256').update(content).digest('hex');

/** Writes an archive with one image. `config` is the configuration of its containers. */
export function writeOciArchive(file, { reference, layers, config, annotations }) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-image-'));
  try {
    const blobs = join(folder, 'blobs/sha256');
    mkdirSync(blobs, { recursive: true });
    const keep = (mediaType, content) => {
      const hex = digestOf(content);
      writeFileSync(join(blobs, hex), content);
      return { mediaType, digest: `sha256:${hex}`, size: content.length };
    };
    const keepJson = (mediaType, value) => keep(mediaType, Buffer.from(JSON.stringify(value)));
    const image = keepJson(type('config.v1+json'), {
      created: '1970-01-01T00:00:00Z',
      architecture: architectures[process.arch] ?? process.arch,
      os: 'linux',
      config,
      rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    });
    const manifest = keepJson(type('manifest.v1+json'), {
      schemaVersion: 2,
      mediaType: type('manifest.v1+json'),
      config: image,
      layers: layers.map(({ compressed }) => keep(type('layer.v1.tar+gzip'), compressed)),
      annotations,
    });
    const named = {
      'io.containerd.image.name': reference,
      'org.opencontainers.image.ref.name': reference.slice(reference.lastIndexOf(':') + 1),
    };
    const index = {
      schemaVersion: 2,
      mediaType: type('index.v1+json'),
      manifests: [{ ...manifest, annotations: named }],
    };
    writeFileSync(join(folder, 'index.json'), JSON.stringify(index));
    writeFileSync(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
    setFileModes(folder);
    writeFileSync(file, archive(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
