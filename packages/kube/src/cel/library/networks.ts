import type { CelType } from '../types/index.js';
import { namedType } from '../types/index.js';
import type { Value } from '../values/index.js';
import { Failure, noSuchOverload, Opaque } from '../values/index.js';
import type { Implementation, Library } from './function.js';
import { asText } from './function.js';
import { formatAddress, type IpAddress, inNetwork, isMapped4, mask, parseAddress } from './ip-address.js';

class IpValue extends Opaque {
  readonly type: CelType = namedType('IP');

  constructor(readonly address: IpAddress) {
    super();
  }

  equals(other: Opaque): boolean | Failure {
    if (!(other instanceof IpValue)) return noSuchOverload();
    return this.address.family === other.address.family && this.address.value === other.address.value;
  }

  override get costSize(): number {
    return this.address.family === 4 ? 4 : 16;
  }
}

class CidrValue extends Opaque {
  readonly type: CelType = namedType('CIDR');

  constructor(
    readonly address: IpAddress,
    readonly bits: number,
  ) {
    super();
  }

  equals(other: Opaque): boolean | Failure {
    if (!(other instanceof CidrValue)) return noSuchOverload();
    return (
      this.bits === other.bits &&
      this.address.family === other.address.family &&
      this.address.value === other.address.value
    );
  }

  override get costSize(): number {
    return Math.ceil(this.bits / 8);
  }
}

function toIp(text: Value = null): IpValue | Failure {
  const raw = asText(text);
  const shown = JSON.stringify(raw);
  const parsed = parseAddress(raw);
  if (parsed instanceof Failure) {
    return new Failure(`IP Address ${shown} parse error during conversion from string: ${parsed.message}`);
  }
  if (parsed.zone !== '') return new Failure(`IP address ${shown} with zone value is not allowed`);
  return isMapped4(parsed) ? new Failure(`IPv4-mapped IPv6 address ${shown} is not allowed`) : new IpValue(parsed);
}

const PARSE_ERROR = 'network address parse error during conversion from string';

function toCidr(text: Value = null): CidrValue | Failure {
  const raw = asText(text);
  const shown = JSON.stringify(raw);
  const parsed = parsePrefix(raw);
  if (parsed instanceof Failure) {
    return new Failure(`${PARSE_ERROR}: ${PARSE_ERROR}: netip.ParsePrefix(${shown}): ${parsed.message}`);
  }
  if (isMapped4(parsed.address)) return new Failure(`${PARSE_ERROR}: IPv4-mapped IPv6 address ${shown} is not allowed`);
  return parsed;
}

function parsePrefix(raw: string): CidrValue | Failure {
  const slash = raw.lastIndexOf('/');
  if (slash < 0) return new Failure("no '/'");
  const address = parseAddress(raw.slice(0, slash));
  if (address instanceof Failure) return address;
  if (address.zone !== '') return new Failure('IPv6 zones cannot be present in a prefix');
  const bits = raw.slice(slash + 1);
  if (!/^(0|[1-9][0-9]*)$/.test(bits)) return new Failure(`bad bits after slash: ${JSON.stringify(bits)}`);
  if (Number(bits) > (address.family === 4 ? 32 : 128)) return new Failure('prefix length out of range');
  return new CidrValue(address, Number(bits));
}

function aboutIp(read: (address: IpAddress) => Value): Implementation {
  return (value) => (value instanceof IpValue ? read(value.address) : noSuchOverload());
}

function aboutCidr(read: (cidr: CidrValue) => Value): Implementation {
  return (value) => (value instanceof CidrValue ? read(value) : noSuchOverload());
}

function isUnspecified(address: IpAddress): boolean {
  return address.value === 0n;
}

function isLoopback(address: IpAddress): boolean {
  return address.family === 4 ? inNetwork(address, '127.0.0.0', 8) : address.value === 1n;
}

function isLinkLocalUnicast(address: IpAddress): boolean {
  return inNetwork(address, '169.254.0.0', 16) || inNetwork(address, 'fe80::', 10);
}

function isLinkLocalMulticast(address: IpAddress): boolean {
  if (address.family === 4) return inNetwork(address, '224.0.0.0', 24);
  return address.value >> 120n === 0xffn && ((address.value >> 112n) & 0x0fn) === 0x02n;
}

function isGlobalUnicast(address: IpAddress): boolean {
  const isBroadcast = address.family === 4 && address.value === 0xffff_ffffn;
  const isMulticast = inNetwork(address, '224.0.0.0', 4) || inNetwork(address, 'ff00::', 8);
  return !(isBroadcast || isMulticast || isUnspecified(address) || isLoopback(address) || isLinkLocalUnicast(address));
}

function contains(cidr: CidrValue, address: IpAddress): boolean {
  return (
    cidr.address.family === address.family && mask(cidr.address, cidr.bits).value === mask(address, cidr.bits).value
  );
}

const containsIp: Implementation = (cidr, other = null) => {
  const ip = typeof other === 'string' ? toIp(other) : other;
  // Upstream loses the reason here: the text that is no address reads as an argument of the wrong type.
  if (!(cidr instanceof CidrValue) || !(ip instanceof IpValue)) return noSuchOverload();
  return contains(cidr, ip.address);
};

const containsCidr: Implementation = (cidr, other = null) => {
  const inner = typeof other === 'string' ? toCidr(other) : other;
  if (inner instanceof Failure) return inner;
  if (!(cidr instanceof CidrValue) || !(inner instanceof CidrValue)) return noSuchOverload();
  return cidr.bits <= inner.bits && contains(cidr, inner.address);
};

const isCanonical: Implementation = (text) => {
  const ip = toIp(text ?? null);
  return ip instanceof Failure ? ip : formatAddress(ip.address) === asText(text);
};

export const networkLibrary: Library = {
  ip: [
    ['string_to_ip', '(string): IP', toIp],
    ['cidr_ip', 'CIDR.(): IP', aboutCidr((cidr) => new IpValue(cidr.address))],
  ],
  isIP: [['is_ip', '(string): bool', (text = null) => toIp(text) instanceof IpValue]],
  'ip.isCanonical': [['ip_is_canonical', '(string): bool', isCanonical]],
  family: [['ip_family', 'IP.(): int', aboutIp((address) => BigInt(address.family))]],
  isUnspecified: [['ip_is_unspecified', 'IP.(): bool', aboutIp(isUnspecified)]],
  isLoopback: [['ip_is_loopback', 'IP.(): bool', aboutIp(isLoopback)]],
  isLinkLocalMulticast: [['ip_is_link_local_multicast', 'IP.(): bool', aboutIp(isLinkLocalMulticast)]],
  isLinkLocalUnicast: [['ip_is_link_local_unicast', 'IP.(): bool', aboutIp(isLinkLocalUnicast)]],
  isGlobalUnicast: [['ip_is_global_unicast', 'IP.(): bool', aboutIp(isGlobalUnicast)]],
  cidr: [['string_to_cidr', '(string): CIDR', toCidr]],
  isCIDR: [['is_cidr', '(string): bool', (text = null) => toCidr(text) instanceof CidrValue]],
  containsIP: [
    ['cidr_contains_ip_string', 'CIDR.(string): bool', containsIp],
    ['cidr_contains_ip_ip', 'CIDR.(IP): bool', containsIp],
  ],
  containsCIDR: [
    ['cidr_contains_cidr_string', 'CIDR.(string): bool', containsCidr],
    ['cidr_contains_cidr', 'CIDR.(CIDR): bool', containsCidr],
  ],
  prefixLength: [['cidr_prefix_length', 'CIDR.(): int', aboutCidr((cidr) => BigInt(cidr.bits))]],
  masked: [
    ['cidr_masked', 'CIDR.(): CIDR', aboutCidr((cidr) => new CidrValue(mask(cidr.address, cidr.bits), cidr.bits))],
  ],
  string: [
    ['ip_to_string', '(IP): string', aboutIp(formatAddress)],
    ['cidr_to_string', '(CIDR): string', aboutCidr((cidr) => `${formatAddress(cidr.address)}/${cidr.bits}`)],
  ],
};
