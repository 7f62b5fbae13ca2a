/** Key usages, as spelled in the certificates.k8s.io API. */
export type KeyUsage =
  | 'signing'
  | 'digital signature'
  | 'content commitment'
  | 'key encipherment'
  | 'key agreement'
  | 'data encipherment'
  | 'cert sign'
  | 'crl sign'
  | 'encipher only'
  | 'decipher only'
  | 'any'
  | 'server auth'
  | 'client auth'
  | 'code signing'
  | 'email protection'
  | 's/mime'
  | 'ipsec end system'
  | 'ipsec tunnel'
  | 'ipsec user'
  | 'timestamping'
  | 'ocsp signing'
  | 'microsoft sgc'
  | 'netscape sgc';

/** Bits of the KeyUsage extension (RFC 5280, section 4.2.1.3). */
const keyUsageBits: ReadonlyMap<KeyUsage, number> = new Map([
  ['digital signature', 1],
  ['content commitment', 2],
  ['key encipherment', 4],
  ['data encipherment', 8],
  ['key agreement', 16],
  ['cert sign', 32],
  ['crl sign', 64],
  ['encipher only', 128],
  ['decipher only', 256],
]);

const extendedUsageOids: ReadonlyMap<KeyUsage, string> = new Map([
  ['any', '2.5.29.37.0'],
  ['server auth', '1.3.6.1.5.5.7.3.1'],
  ['client auth', '1.3.6.1.5.5.7.3.2'],
  ['code signing', '1.3.6.1.5.5.7.3.3'],
  ['email protection', '1.3.6.1.5.5.7.3.4'],
  ['ipsec end system', '1.3.6.1.5.5.7.3.5'],
  ['ipsec tunnel', '1.3.6.1.5.5.7.3.6'],
  ['ipsec user', '1.3.6.1.5.5.7.3.7'],
  ['timestamping', '1.3.6.1.5.5.7.3.8'],
  ['ocsp signing', '1.3.6.1.5.5.7.3.9'],
  ['microsoft sgc', '1.3.6.1.4.1.311.10.3.3'],
  ['netscape sgc', '2.16.840.1.113730.4.1'],
]);

const aliases: ReadonlyMap<string, KeyUsage> = new Map([
  ['signing', 'digital signature'],
  ['s/mime', 'email protection'],
]);

const usageOfOid: ReadonlyMap<string, KeyUsage> = new Map([...extendedUsageOids].map(([usage, oid]) => [oid, usage]));

/** All usages that the certificates.k8s.io API accepts, sorted. */
export const allUsages: readonly KeyUsage[] = [
  ...keyUsageBits.keys(),
  ...extendedUsageOids.keys(),
  'signing' as const,
  's/mime' as const,
].sort();

export function isUsage(text: string): text is KeyUsage {
  return (allUsages as readonly string[]).includes(text);
}

export function keyUsageNames(bits: number): KeyUsage[] {
  return [...keyUsageBits].filter(([, bit]) => (bits & bit) !== 0).map(([usage]) => usage);
}

/** Returns the usages of the given extended key usage OIDs. Unknown OIDs are omitted. */
export function extendedUsageNames(oids: readonly string[]): KeyUsage[] {
  return oids.flatMap((oid) => usageOfOid.get(oid) ?? []);
}

/** Splits usages into the values of the KeyUsage and ExtendedKeyUsage extensions. */
export function usageExtensions(usages: readonly KeyUsage[]): { keyUsage: number; extended: string[] } {
  let keyUsage = 0;
  const extended = new Set<string>();
  for (const given of usages) {
    const usage = aliases.get(given) ?? given;
    keyUsage |= keyUsageBits.get(usage) ?? 0;
    const oid = extendedUsageOids.get(usage);
    if (oid !== undefined) extended.add(oid);
  }
  return { keyUsage, extended: [...extendedUsageOids.values()].filter((oid) => extended.has(oid)) };
}
