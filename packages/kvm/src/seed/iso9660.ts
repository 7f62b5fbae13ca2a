/** A file in the root directory of an image. */
export interface DiscFile {
  readonly name: string;
  readonly content: Uint8Array;
}

const sectorBytes = 2048;
const primaryTree = { pathTables: 19, root: 23 } as const;
const jolietTree = { pathTables: 21, root: 24 } as const;
const firstFileSector = 25;
/** Minimum image size in sectors: some firmware rejects smaller images. */
const sectorsMin = 150;
/** Escape sequence of Joliet level 3: names are in UCS-2. */
const jolietEscape = '%/E';

interface Placed {
  readonly file: DiscFile;
  readonly sector: number;
}

/**
 * Returns an ISO 9660 image with Joliet names, so that `user-data` keeps its case and its hyphen. All dates are zero, so the
 * output is reproducible.
 */
export function writeDisc(label: string, files: readonly DiscFile[]): Buffer {
  let next = firstFileSector;
  const placed = [...files]
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .map((file): Placed => {
      const sector = next;
      next += Math.max(1, Math.ceil(file.content.length / sectorBytes));
      return { file, sector };
    });
  const disc = Buffer.alloc(Math.max(next, sectorsMin) * sectorBytes);
  const sectors = disc.length / sectorBytes;
  descriptor(disc.subarray(16 * sectorBytes), { label, sectors, joliet: false });
  descriptor(disc.subarray(17 * sectorBytes), { label, sectors, joliet: true });
  disc.write('\xffCD001\x01', 18 * sectorBytes, 'latin1');
  for (const [tree, joliet] of [
    [primaryTree, false],
    [jolietTree, true],
  ] as const) {
    pathTable(disc, tree.pathTables, tree.root, 'little');
    pathTable(disc, tree.pathTables + 1, tree.root, 'big');
    directory(disc.subarray(tree.root * sectorBytes, (tree.root + 1) * sectorBytes), tree.root, placed, joliet);
  }
  for (const { file, sector } of placed) disc.set(file.content, sector * sectorBytes);
  return disc;
}

interface Volume {
  readonly label: string;
  readonly sectors: number;
  readonly joliet: boolean;
}

function descriptor(into: Buffer, { label, sectors, joliet }: Volume): void {
  const tree = joliet ? jolietTree : primaryTree;
  const text = (value: string, offset: number, length: number): void => {
    (joliet ? ucs2(value, length) : Buffer.from(value.padEnd(length), 'latin1')).copy(into, offset);
  };
  into.write(`${joliet ? '\x02' : '\x01'}CD001\x01`, 0, 'latin1');
  text('', 8, 32);
  text(label, 40, 32);
  bothOrders32(into, 80, sectors);
  if (joliet) into.write(jolietEscape, 88, 'latin1');
  bothOrders16(into, 120, 1);
  bothOrders16(into, 124, 1);
  bothOrders16(into, 128, sectorBytes);
  bothOrders32(into, 132, pathTableBytes);
  into.writeUInt32LE(tree.pathTables, 140);
  into.writeUInt32BE(tree.pathTables + 1, 148);
  record(into, 156, { name: Buffer.from([0]), sector: tree.root, size: sectorBytes, isFolder: true });
  for (const [offset, length] of [
    [190, 128],
    [318, 128],
    [446, 128],
    [574, 128],
    [702, 37],
    [739, 37],
    [776, 37],
  ] as const)
    text('', offset, length);
  // Four empty dates, and the version of the structure.
  for (const offset of [813, 830, 847, 864]) into.write('0'.repeat(16), offset, 'latin1');
  into[881] = 1;
}

const pathTableBytes = 10;

/** Writes a path table with one entry, the root directory. */
function pathTable(disc: Buffer, sector: number, root: number, order: 'little' | 'big'): void {
  const at = sector * sectorBytes;
  disc[at] = 1;
  if (order === 'little') {
    disc.writeUInt32LE(root, at + 2);
    disc.writeUInt16LE(1, at + 6);
  } else {
    disc.writeUInt32BE(root, at + 2);
    disc.writeUInt16BE(1, at + 6);
  }
}

function directory(into: Buffer, root: number, placed: readonly Placed[], joliet: boolean): void {
  let at = 0;
  for (const name of [0, 1])
    at += record(into, at, { name: Buffer.from([name]), sector: root, size: sectorBytes, isFolder: true });
  for (const [index, { file, sector }] of placed.entries()) {
    const name = joliet ? ucs2(file.name) : Buffer.from(shortName(file.name, index), 'latin1');
    at += record(into, at, { name, sector, size: file.content.length, isFolder: false });
  }
}

/** Returns the primary file name, which is only used by readers without Joliet support. It must be unique. */
function shortName(name: string, index: number): string {
  const letters = name.toUpperCase().replace(/[^A-Z0-9]/g, '_');
  return `${letters.slice(0, 6)}${index}.;1`;
}

interface RecordFields {
  readonly name: Buffer;
  readonly sector: number;
  readonly size: number;
  readonly isFolder: boolean;
}

/** Writes a directory record and returns its length, which is always even. */
function record(into: Buffer, at: number, { name, sector, size, isFolder }: RecordFields): number {
  const length = 33 + name.length + (name.length % 2 === 0 ? 1 : 0);
  into[at] = length;
  bothOrders32(into, at + 2, sector);
  bothOrders32(into, at + 10, size);
  into[at + 25] = isFolder ? 2 : 0;
  bothOrders16(into, at + 28, 1);
  into[at + 32] = name.length;
  name.copy(into, at + 33);
  return length;
}

function ucs2(text: string, length = text.length * 2): Buffer {
  const bytes = Buffer.alloc(length);
  for (let index = 0; index * 2 + 1 < length; index += 1)
    bytes.writeUInt16BE(index < text.length ? text.charCodeAt(index) : 0x20, index * 2);
  return bytes;
}

function bothOrders32(into: Buffer, at: number, value: number): void {
  into.writeUInt32LE(value, at);
  into.writeUInt32BE(value, at + 4);
}

function bothOrders16(into: Buffer, at: number, value: number): void {
  into.writeUInt16LE(value, at);
  into.writeUInt16BE(value, at + 2);
}
