import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '@slipway/base';

const pageBytes = 4_096;

type Damage = (bytes: Buffer, below: (limit: number) => number) => void;

/** Damages that leave the size of the data file as it is. */
const damages: Readonly<Record<string, Damage>> = {
  'a zeroed range': (bytes, below) => {
    const from = below(bytes.length);
    bytes.fill(0, from, from + 1 + below(4 * pageBytes));
  },
  'flipped bits': (bytes, below) => {
    for (let flip = 0; flip < 16; flip += 1) {
      const at = below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
    }
  },
  'swapped pages': (bytes, below) => {
    const pages = Math.floor(bytes.length / pageBytes);
    const [first, second] = [below(pages) * pageBytes, below(pages) * pageBytes];
    const kept = Buffer.from(bytes.subarray(first, first + pageBytes));
    bytes.copy(bytes, first, second, second + pageBytes);
    kept.copy(bytes, second);
  },
};

/** Damages the data file of a store, or its lock file, and returns the name of the damage. */
export function damageStore(store: string, random: Random): string {
  const file = join(store, 'data.mdb');
  const below = (limit: number): number => Math.floor(random.next() * limit);
  const names = ['an empty file', 'a truncated file', 'a damaged lock file', ...Object.keys(damages)];
  const name = names[below(names.length)] ?? '';
  const bytes = readFileSync(file);
  if (name === 'an empty file') truncateSync(file, 0);
  else if (name === 'a truncated file') truncateSync(file, below(bytes.length));
  else if (name === 'a damaged lock file') {
    const garbage = Buffer.from(Array.from({ length: 2 * pageBytes }, () => below(256)));
    writeFileSync(join(store, 'lock.mdb'), garbage);
  } else {
    damages[name]?.(bytes, below);
    writeFileSync(file, bytes);
  }
  return name;
}
