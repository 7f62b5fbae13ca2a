import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/*
 * The subset of POSIX ustar that a backup needs: regular files with short names. Any tar program can read a backup.
 */
const blockLength = 512;
const copyBytes = 1_048_576;
const sizeMax = 0o77777777777;

export interface TarEntry {
  readonly name: string;
  readonly size: number;
  /** Offset of the content in the archive. */
  readonly start: number;
}

export class MalformedArchive extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'MalformedArchive';
  }
}

export async function appendText(archive: FileHandle, name: string, text: string, mtimeMs: number): Promise<void> {
  const bytes = Buffer.from(text);
  await archive.writeFile(Buffer.concat([header(name, bytes.length, mtimeMs), bytes, padding(bytes.length)]));
}

/** Appends the content of an open file. */
export async function appendFile(
  archive: FileHandle,
  name: string,
  source: FileHandle,
  mtimeMs: number,
): Promise<void> {
  const { size } = await source.stat();
  await archive.writeFile(header(name, size, mtimeMs));
  for await (const chunk of chunksOf(source, 0, size)) await archive.writeFile(chunk);
  await archive.writeFile(padding(size));
}

/** Ends an archive with two empty blocks. */
export async function endArchive(archive: FileHandle): Promise<void> {
  await archive.writeFile(Buffer.alloc(2 * blockLength));
}

export async function readEntries(archive: FileHandle): Promise<TarEntry[]> {
  const { size: archiveSize } = await archive.stat();
  const entries: TarEntry[] = [];
  const block = Buffer.alloc(blockLength);
  for (let at = 0; ; ) {
    const { bytesRead } = await archive.read(block, 0, blockLength, at);
    if (bytesRead < blockLength) throw new MalformedArchive('unexpected end of archive');
    if (block.every((byte) => byte === 0)) return entries;
    if (readNumber(block, 148, 8) !== checksum(block))
      throw new MalformedArchive('not a tar archive, or the archive is damaged');
    const name = readText(block, 0, 100);
    const size = readNumber(block, 124, 12);
    const start = at + blockLength;
    at = start + size + paddingLength(size);
    if (at > archiveSize) throw new MalformedArchive('unexpected end of archive');
    entries.push({ name, size, start });
  }
}

/** Reads a range of a file in chunks. */
export async function* chunksOf(file: FileHandle, start: number, size: number): AsyncGenerator<Buffer> {
  for (let done = 0; done < size; ) {
    const chunk = Buffer.alloc(Math.min(copyBytes, size - done));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, start + done);
    if (bytesRead === 0) throw new MalformedArchive('unexpected end of archive');
    done += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

export async function digestOf(file: FileHandle, start: number, size: number): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunksOf(file, start, size)) hash.update(chunk);
  return hash.digest('hex');
}

function header(name: string, size: number, mtimeMs: number): Buffer {
  if (size > sizeMax) throw new RangeError(`${name} is too large for a backup: ${size} bytes`);
  const block = Buffer.alloc(blockLength);
  block.write(name, 0, 100);
  writeNumber(block, 0o600, 100, 8);
  writeNumber(block, 0, 108, 8);
  writeNumber(block, 0, 116, 8);
  writeNumber(block, size, 124, 12);
  writeNumber(block, Math.floor(mtimeMs / 1_000), 136, 12);
  block.write('0', 156);
  block.write('ustar\u000000', 257);
  writeNumber(block, checksum(block), 148, 7);
  block.write(' ', 155);
  return block;
}

/** Returns the sum of all header bytes, with the checksum field counted as spaces. */
function checksum(block: Buffer): number {
  let sum = 8 * 0x20;
  for (let index = 0; index < blockLength; index += 1) {
    if (index < 148 || index >= 156) sum += block[index] ?? 0;
  }
  return sum;
}

function writeNumber(block: Buffer, value: number, at: number, length: number): void {
  block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at);
}

function readNumber(block: Buffer, at: number, length: number): number {
  const text = readText(block, at, length).trim();
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN;
}

function readText(block: Buffer, at: number, length: number): string {
  const end = block.indexOf(0, at);
  return block.toString('utf8', at, end < 0 ? at + length : Math.min(end, at + length));
}

function paddingLength(size: number): number {
  return (blockLength - (size % blockLength)) % blockLength;
}

function padding(size: number): Buffer {
  return Buffer.alloc(paddingLength(size));
}
