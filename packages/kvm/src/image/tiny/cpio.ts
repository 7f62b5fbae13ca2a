/** A file of an archive. */
export interface ArchivedFile {
  readonly path: string;
  readonly mode: number;
  readonly content: Uint8Array;
}

const trailer = 'TRAILER!!!';

/** Returns a cpio archive in the "newc" format of the kernel. Times and inodes are constant, so the output is reproducible. */
export function writeCpio(files: readonly ArchivedFile[]): Buffer {
  const parts: Buffer[] = [];
  const folders = new Set<string>();
  let inode = 0;
  const add = (path: string, mode: number, content: Uint8Array): void => {
    inode += 1;
    parts.push(header(path, mode, content.length, path === trailer ? 0 : inode), padded(Buffer.from(content)));
  };
  for (const { path, mode, content } of files) {
    for (const folder of foldersOf(path)) {
      if (folders.has(folder)) continue;
      folders.add(folder);
      add(folder, 0o40755, Buffer.alloc(0));
    }
    add(path, 0o100000 | mode, content);
  }
  add(trailer, 0, Buffer.alloc(0));
  return Buffer.concat(parts);
}

function header(path: string, mode: number, size: number, inode: number): Buffer {
  // Magic, inode, mode, owner, group, links, time, size, device numbers, length of the name, checksum.
  const numbers = [inode, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, path.length + 1, 0];
  const text = `070701${numbers.map((number) => number.toString(16).padStart(8, '0')).join('')}${path}\0`;
  return padded(Buffer.from(text, 'latin1'));
}

function padded(bytes: Buffer): Buffer {
  const rest = bytes.length % 4;
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(4 - rest)]);
}

function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
