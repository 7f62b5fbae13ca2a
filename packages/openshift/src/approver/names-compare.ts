import { BlockList, isIP } from 'node:net';

/** Converts only ASCII letters to lower case, because some Unicode letters would become ASCII letters. */
export function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Compares DNS names case-insensitively. A reported address may end with one dot. */
export function isSameHost(name: string, address: string): boolean {
  return foldCase(name) === foldCase(address.endsWith('.') ? address.slice(0, -1) : address);
}

const nodeNamePattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const nodeNameLengthMax = 253;

/** Returns whether the name is a valid Node name. */
export function isNodeName(name: string): boolean {
  return name.length <= nodeNameLengthMax && nodeNamePattern.test(foldCase(name));
}

/** Returns the canonical form of an IP address, or undefined if it is invalid. */
export function canonicalIp(text: string): string | undefined {
  const version = isIP(text);
  if (version === 4) return text;
  if (version !== 6 || text.includes('%')) return undefined;
  return new URL(`http://[${text}]/`).hostname.slice(1, -1);
}

export function isSameIp(left: string, right: string): boolean {
  const canonical = canonicalIp(left);
  return canonical !== undefined && canonical === canonicalIp(right);
}

/** Returns whether the address is in one of the networks, such as `10.0.0.0/24`. Invalid networks are ignored. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const version = isIP(address);
  if (version === 0) return false;
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', bits = ''] = network.split('/');
    const family = isIP(base);
    if (family === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) continue;
    list.addSubnet(base, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  }
  return list.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** Returns whether both lists have the same values with the same counts, in any order. */
export function isSameMultiset(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  const rest = [...right].sort();
  return [...left].sort().every((value, index) => value === rest[index]);
}

export function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  const values = new Set(left);
  return values.size === new Set(right).size && right.every((value) => values.has(value));
}
