import type { Random } from '@slipway/base';

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export interface PortAllocator {
  next(taken: ReadonlySet<number>): number | undefined;
  check(port: number, taken: ReadonlySet<number>): string | undefined;
}

const probesMax = 64;

/** Allocates node ports. */
export function createPortAllocator(range: PortRange, random: Random): PortAllocator {
  return {
    next(taken) {
      const size = range.last - range.first + 1;
      for (let attempt = 0; attempt < probesMax; attempt += 1) {
        const port = range.first + Math.floor(random.next() * size);
        if (!taken.has(port)) return port;
      }
      for (let port = range.first; port <= range.last; port += 1) if (!taken.has(port)) return port;
      return undefined;
    },
    check(port, taken) {
      if (port < range.first || port > range.last) {
        return `provided port is not in the valid range. The range of valid ports is ${range.first}-${range.last}`;
      }
      return taken.has(port) ? 'provided port is already allocated' : undefined;
    },
  };
}
