import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { endianness } from 'node:os';

/**
 * Checks the structure of an LMDB data file without mapping it: LMDB trusts its pages, and a damaged one would end the process
 * with a signal. Follows every page that the newest transaction reaches. The values themselves have checksums.
 *
 *     page:   number u64 | transaction u64 | u16 | flags u16 | lower u16, upper u16 or overflow pages u32 |
 *             offsets of nodes u16 …
 *     node:   value size or child page, 6 bytes with flags u16 | key size u16 | key | value, or the place of its overflow pages
 *     meta:   page header | magic u32 | version u32 | address u64 | map size u64 | free pages: tree | main: tree |
 *             last page u64 | transaction u64
 *     tree:   page size u32 | flags u16 | depth u16 | branch pages, leaf pages, overflow pages, entries, root: u64 each
 */
const headerLength = 24;
const nodeHeaderLength = 8;
const treeLength = 48;
const overflowPlaceLength = 24;
const magic = 0xbeefc0de;
const pageFlags = { branch: 0x01, leaf: 0x02, overflow: 0x04, meta: 0x08 } as const;
const nodeFlags = { overflow: 0x01, tree: 0x02 } as const;
const offsets = { magic: 24, version: 28, freeTree: 48, mainTree: 96, lastPage: 144, transaction: 152 } as const;
const noPage = 0xffff_ffff * 2 ** 32 + 0xffff_ffff;
const depthMax = 32;
const pageBytesMax = 65_536;

class Damage extends Error {}

/** Returns what is wrong with the file, or undefined. */
export function findDamage(file: string): string | undefined {
  // This check supports little-endian hosts only: LMDB stores numbers in the byte order of the host.
  if (endianness() !== 'LE') return undefined;
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    if (size === 0) return 'it is empty';
    new FileCheck(new PageReader(descriptor, size)).run();
    return undefined;
  } catch (error) {
    if (error instanceof Damage) return error.message;
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

interface Tree {
  readonly name: string;
  readonly depth: number;
  readonly branchPages: number;
  readonly leafPages: number;
  readonly overflowPages: number;
  readonly entries: number;
  readonly root: number;
}

interface Counts {
  branchPages: number;
  leafPages: number;
  overflowPages: number;
  entries: number;
}

class FileCheck {
  readonly #seen: Uint8Array;
  #transaction = 0;
  #lastPage = 0;

  constructor(private readonly file: PageReader) {
    this.#seen = new Uint8Array(Math.floor(file.size / file.pageSize));
  }

  run(): void {
    const meta = this.#newestMeta();
    this.#transaction = wordAt(meta, offsets.transaction);
    this.#lastPage = wordAt(meta, offsets.lastPage);
    this.#seen.fill(1, 0, 2);
    const free = treeAt(meta, offsets.freeTree, 'free pages');
    const main = treeAt(meta, offsets.mainTree, 'tables');
    this.#checkTree(free, () => undefined);
    const tables: Tree[] = [];
    this.#checkTree(main, (node) => {
      if (node.tree !== undefined) tables.push(node.tree);
    });
    for (const table of tables) this.#checkTree(table, () => undefined);
  }

  /**
   * Returns the newest meta page. Each transaction overwrites the older of the two meta pages, so their transaction numbers are
   * always consecutive.
   */
  #newestMeta(): Buffer {
    const [first, second] = [0, 1].map((number) => this.#meta(number)) as [Buffer, Buffer];
    const [older, newer] = [wordAt(first, offsets.transaction), wordAt(second, offsets.transaction)];
    const isNew = older === 0 && newer === 0;
    if (!isNew && (Math.abs(older - newer) !== 1 || older % 2 !== 0))
      throw new Damage('its two meta pages are inconsistent');
    return newer > older ? second : first;
  }

  #meta(number: number): Buffer {
    const page = Buffer.from(this.file.page(number));
    if (
      wordAt(page, 0) !== number ||
      page.readUInt16LE(18) !== pageFlags.meta ||
      page.readUInt32LE(offsets.magic) !== magic
    )
      throw new Damage(`meta page ${number} is invalid`);
    if (page.readUInt32LE(offsets.freeTree) !== this.file.pageSize) throw new Damage('its page sizes differ');
    return page;
  }

  #checkTree(tree: Tree, visit: (node: LeafNode) => void): void {
    if (tree.root === noPage) {
      if (tree.entries !== 0) throw new Damage(`the tree of ${tree.name} has no root`);
      return;
    }
    if (tree.depth === 0 || tree.depth > depthMax) throw new Damage(`the tree of ${tree.name} has depth ${tree.depth}`);
    const counts: Counts = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
    this.#checkPage(tree.root, tree.depth, counts, visit);
    for (const key of Object.keys(counts) as (keyof Counts)[])
      if (counts[key] !== tree[key]) throw new Damage(`the tree of ${tree.name} is missing pages or entries`);
  }

  #checkPage(number: number, depth: number, counts: Counts, visit: (node: LeafNode) => void): void {
    const page = this.#open(number, depth > 1 ? pageFlags.branch : pageFlags.leaf);
    const nodes = nodesOf(page, number, depth > 1);
    if (depth > 1) {
      counts.branchPages += 1;
      if (nodes.length < 2) throw new Damage(`page ${number} has too few entries`);
      const children = nodes.map((at) => page.readUInt32LE(at) + page.readUInt16LE(at + 4) * 2 ** 32);
      for (const child of children) this.#checkPage(child, depth - 1, counts, visit);
      return;
    }
    counts.leafPages += 1;
    counts.entries += nodes.length;
    const leaves = nodes.map((at) => leafAt(page, at, number));
    for (const leaf of leaves) {
      if (leaf.overflow !== undefined) counts.overflowPages += this.#checkOverflow(leaf.overflow, leaf.length);
      visit(leaf);
    }
  }

  #checkOverflow({ page, pages }: OverflowPlace, length: number): number {
    const needed = Math.floor((headerLength - 1 + length) / this.file.pageSize) + 1;
    const header = this.#open(page, pageFlags.overflow, needed);
    if (pages !== needed || header.readUInt32LE(20) !== needed)
      throw new Damage(`the value at page ${page} has a wrong length`);
    return needed;
  }

  #open(number: number, flags: number, pages = 1): Buffer {
    if (number + pages - 1 > this.#lastPage) throw new Damage(`page ${number} does not exist`);
    if (number + pages > this.#seen.length) throw new Damage(`page ${number} is missing: the file is truncated`);
    if (this.#seen.subarray(number, number + pages).includes(1)) throw new Damage(`page ${number} is used twice`);
    this.#seen.fill(1, number, number + pages);
    const page = flags === pageFlags.overflow ? this.file.page(number, headerLength) : this.file.page(number);
    if (wordAt(page, 0) !== number || page.readUInt16LE(18) !== flags || wordAt(page, 8) > this.#transaction)
      throw new Damage(`page ${number} has an invalid header`);
    return page;
  }
}

interface OverflowPlace {
  readonly page: number;
  readonly pages: number;
}

interface LeafNode {
  readonly length: number;
  readonly overflow: OverflowPlace | undefined;
  readonly tree: Tree | undefined;
}

/** Returns the offsets of the nodes, which fill the upper part of the page without gaps. */
function nodesOf(page: Buffer, number: number, isBranch: boolean): number[] {
  const [lower, upper] = [page.readUInt16LE(20), page.readUInt16LE(22)];
  const room = page.length - headerLength;
  if (lower % 2 !== 0 || lower > upper || upper > room) throw new Damage(`page ${number} has invalid bounds`);
  const nodes: number[] = [];
  let used = 0;
  for (let index = 0; index < lower / 2; index += 1) {
    const at = headerLength + page.readUInt16LE(headerLength + 2 * index);
    if (at < headerLength + upper || at % 2 !== 0 || at + nodeHeaderLength > page.length)
      throw new Damage(`page ${number} has an entry outside of its bounds`);
    const length = nodeLength(page, at, isBranch);
    if (at + length > page.length) throw new Damage(`page ${number} has an entry outside of its bounds`);
    used += length + (length % 2);
    nodes.push(at);
  }
  if (used !== room - upper) throw new Damage(`page ${number} has entries of a wrong length`);
  return nodes;
}

function nodeLength(page: Buffer, at: number, isBranch: boolean): number {
  const base = nodeHeaderLength + page.readUInt16LE(at + 6);
  if (isBranch) return base;
  return base + ((page.readUInt16LE(at + 4) & nodeFlags.overflow) !== 0 ? overflowPlaceLength : page.readUInt32LE(at));
}

function leafAt(page: Buffer, at: number, number: number): LeafNode {
  const [length, flags, keyLength] = [page.readUInt32LE(at), page.readUInt16LE(at + 4), page.readUInt16LE(at + 6)];
  const value = at + nodeHeaderLength + keyLength;
  const leaf = { length, overflow: undefined, tree: undefined };
  if (flags === 0) return leaf;
  if (flags === nodeFlags.overflow)
    return { ...leaf, overflow: { page: wordAt(page, value), pages: wordAt(page, value + 16) } };
  if (flags !== nodeFlags.tree || length !== treeLength) throw new Damage(`page ${number} has an invalid entry`);
  return { ...leaf, tree: treeAt(page, value, page.toString('latin1', at + nodeHeaderLength, value)) };
}

function treeAt(page: Buffer, at: number, name: string): Tree {
  return {
    name,
    depth: page.readUInt16LE(at + 6),
    branchPages: wordAt(page, at + 8),
    leafPages: wordAt(page, at + 16),
    overflowPages: wordAt(page, at + 24),
    entries: wordAt(page, at + 32),
    root: wordAt(page, at + 40),
  };
}

function wordAt(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32;
}

/** Reads pages into one buffer, which is valid until the next read. */
class PageReader {
  readonly pageSize: number;
  readonly #page: Buffer;

  constructor(
    private readonly descriptor: number,
    readonly size: number,
  ) {
    const head = Buffer.alloc(offsets.freeTree + 4);
    if (this.#read(head, 0) < head.length) throw new Damage('it is truncated');
    this.pageSize = head.readUInt32LE(offsets.freeTree);
    const isPower = Number.isInteger(Math.log2(this.pageSize));
    if (!isPower || this.pageSize < 256 || this.pageSize > pageBytesMax) throw new Damage('meta page 0 is invalid');
    if (size < 2 * this.pageSize) throw new Damage('it is truncated');
    this.#page = Buffer.alloc(this.pageSize);
  }

  page(number: number, length = this.pageSize): Buffer {
    const page = this.#page.subarray(0, length);
    if (this.#read(page, number * this.pageSize) < length)
      throw new Damage(`page ${number} is missing: the file is truncated`);
    return page;
  }

  #read(bytes: Buffer, position: number): number {
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(this.descriptor, bytes, length, bytes.length - length, position + length);
      if (read === 0) break;
      length += read;
    }
    return length;
  }
}
