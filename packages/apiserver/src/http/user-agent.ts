const managerBytesMax = 128;
const cacheMax = 512;
const cache = new Map<string, string>();

/**
 * The field manager that a User-Agent stands for: its product name. Printable and at most 128 bytes, like a manager that
 * is named outright.
 */
export function managerOfUserAgent(userAgent: string): string {
  const known = cache.get(userAgent);
  if (known !== undefined) return known;
  const product = (userAgent.split('/', 1)[0] ?? '').replace(/\s*\(.*$/, '');
  let manager = '';
  for (const rune of product) {
    if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(rune)) continue;
    if (Buffer.byteLength(manager) + Buffer.byteLength(rune) > managerBytesMax) break;
    manager += rune;
  }
  if (cache.size >= cacheMax) cache.clear();
  if (userAgent.length <= 1_024) cache.set(userAgent, manager);
  return manager;
}
