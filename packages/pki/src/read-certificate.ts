import { isIPv4 } from 'node:net';
import type { AlternativeNames, Certificate, CertificateSubject } from './certificate.js';
import { type DerElement, readDer, readObjectIdentifier } from './der.js';
import { extendedUsageNames, type KeyUsage, keyUsageNames } from './usages.js';

type Fields = Omit<Certificate, 'der' | 'publicKey'>;

/** Object identifiers of the extensions that Kubernetes reads. */
const ids = {
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
} as const;

const handled: ReadonlySet<string> = new Set(Object.values(ids));

interface Extension {
  readonly critical: boolean;
  readonly content: DerElement | undefined;
}

/** Reads the fields of a certificate (RFC 5280, section 4.1) that OpenSSL has accepted as well-formed. */
export function readCertificate(der: Buffer): Fields {
  const [certificate, ...rest] = readDer(der);
  if (rest.length > 0) throw new TypeError('more than one element');
  const parts = inside(inside(certificate)[0]);
  // A version 1 certificate omits the version field.
  if (parts[0]?.tag === 0xa0) parts.shift();
  const [serial, , issuer, validity, subject] = parts;
  const [notBefore, notAfter] = inside(validity);
  const extensions = extensionsOf(parts.find(({ tag }) => tag === 0xa3));
  return {
    subject: readName(subject),
    issuer: readName(issuer),
    serialNumber: contentOf(serial)
      .toString('hex')
      .replace(/^00(?=.)/, ''),
    notBefore: readTime(notBefore),
    notAfter: readTime(notAfter),
    isCa: isCa(extensions.get(ids.basicConstraints)?.content),
    pathLengthMax: pathLengthMax(extensions.get(ids.basicConstraints)?.content),
    unhandledCriticalExtensions: [...extensions]
      .filter(([id, { critical }]) => critical && !handled.has(id))
      .map(([id]) => id),
    ...readNames(extensions.get(ids.alternativeNames)?.content),
    keyUsages: readKeyUsages(extensions.get(ids.keyUsage)?.content),
    extendedKeyUsages: readPurposes(extensions.get(ids.extendedKeyUsage)?.content),
  };
}

/** Reads a distinguished name. Like Go, uses the last CN if there are several. */
function readName(name: DerElement | undefined): CertificateSubject {
  let commonName = '';
  const organizations: string[] = [];
  for (const attribute of inside(name).flatMap(inside)) {
    const [type, value] = inside(attribute);
    const id = readObjectIdentifier(contentOf(type));
    if (id === '2.5.4.3') commonName = readText(value);
    else if (id === '2.5.4.10') organizations.push(readText(value));
  }
  return { commonName, organizations };
}

function readText(element: DerElement | undefined): string {
  const content = contentOf(element);
  switch (element?.tag) {
    case 0x0c:
      return content.toString('utf8');
    case 0x1e:
      return Buffer.from(content).swap16().toString('utf16le');
    default:
      return content.toString('latin1');
  }
}

function readTime(element: DerElement | undefined): number {
  const digits = contentOf(element).toString('latin1');
  const century = element?.tag === 0x17 ? (digits < '50' ? '20' : '19') : '';
  const fields = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(century + digits);
  if (fields === null) throw new TypeError('time is not in RFC 5280 format');
  const [, year, month, day, hour, minute, second] = fields.map(Number);
  return Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second);
}

/** Returns the extensions by object identifier. */
function extensionsOf(explicit: DerElement | undefined): ReadonlyMap<string, Extension> {
  const list = inside(inside(explicit)[0]);
  return new Map(
    list.map((extension) => {
      const members = inside(extension);
      const [, flag] = members;
      const critical = flag?.tag === 0x01 && flag.content[0] !== 0;
      return [
        readObjectIdentifier(contentOf(members[0])),
        { critical, content: readDer(contentOf(members.at(-1)))[0] },
      ];
    }),
  );
}

function isCa(constraints: DerElement | undefined): boolean {
  const [first] = inside(constraints);
  return first?.tag === 0x01 && first.content[0] !== 0;
}

function pathLengthMax(constraints: DerElement | undefined): number | undefined {
  const length = inside(constraints).find(({ tag }) => tag === 0x02);
  return length === undefined ? undefined : length.content.readUIntBE(0, Math.min(length.content.length, 6));
}

function readKeyUsages(bits: DerElement | undefined): readonly KeyUsage[] | undefined {
  if (bits === undefined) return undefined;
  let uses = 0;
  for (const [index, octet] of contentOf(bits).subarray(1).entries())
    for (let bit = 0; bit < 8; bit += 1) if ((octet & (0x80 >>> bit)) !== 0) uses |= 1 << (8 * index + bit);
  return keyUsageNames(uses);
}

function readPurposes(list: DerElement | undefined): readonly KeyUsage[] | undefined {
  if (list === undefined) return undefined;
  return extendedUsageNames(inside(list).map(({ content }) => readObjectIdentifier(content)));
}

function readNames(list: DerElement | undefined): AlternativeNames {
  const of = (tag: number, read: (content: Buffer) => string): string[] =>
    inside(list)
      .filter((name) => name.tag === tag)
      .map(({ content }) => read(content));
  const text = (content: Buffer): string => content.toString('latin1');
  return {
    dnsNames: of(0x82, text),
    ipAddresses: of(0x87, readAddress),
    emailAddresses: of(0x81, text),
    uris: of(0x86, text),
  };
}

function readAddress(octets: Buffer): string {
  const dotted = octets.join('.');
  if (isIPv4(dotted)) return dotted;
  if (octets.length !== 16) throw new TypeError('IP address has neither 4 nor 16 octets');
  const groups = Array.from({ length: 8 }, (_, index) => octets.readUInt16BE(2 * index).toString(16));
  // The URL parser shortens the address as RFC 5952 requires.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

function inside(element: DerElement | undefined): DerElement[] {
  return element === undefined ? [] : readDer(element.content);
}

function contentOf(element: DerElement | undefined): Buffer {
  if (element === undefined) throw new TypeError('missing element');
  return element.content;
}
