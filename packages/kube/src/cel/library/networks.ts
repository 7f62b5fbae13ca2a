import { type Cidr, cidrContains, formatCidr, maskCidr, parsePrefix } from '../../text/cidr.js';
import {
  formatIp,
  type IpAddress,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isMapped4,
  isMulticast,
  isUnspecified,
  parseZonedIp,
} from '../../text/ip-address.js';
import type { CelType } from '../types/index.js';
import { namedType } from '../types/index.js';
import type { Value } from '../values/index.js';
import { Failure, noSuchOverload, Opaque } from '../values/index.js';
import type { Implementation, Library } from './function.js';
import { asText } from './function.js';

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
    return this.address.family === 'IPv4' ? 4 : 16;
  }
}

class CidrValue extends Opaque {
  readonly type: CelType = namedType('CIDR');

  constructor(readonly cidr: Cidr) {
    super();
  }

  equals(other: Opaque): boolean | Failure {
    if (!(other instanceof CidrValue)) return noSuchOverload();
    const { address, prefix } = this.cidr;
    const { address: otherAddress, prefix: otherPrefix } = other.cidr;
    return prefix === otherPrefix && address.family === otherAddress.family && address.value === otherAddress.value;
  }

  override get costSize(): number {
    return Math.ceil(this.cidr.prefix / 8);
  }
}

/** Converts an exception of a parser to a Failure. */
function attempt<T>(parse: () => T): T | Failure {
  try {
    return parse();
  } catch (error) {
    return new Failure(error instanceof Error ? error.message : String(error));
  }
}

function toIp(text: Value = null): IpValue | Failure {
  const raw = asText(text);
  const shown = JSON.stringify(raw);
  const parsed = attempt(() => parseZonedIp(raw));
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
  const parsed = attempt(() => parsePrefix(raw));
  if (parsed instanceof Failure) {
    return new Failure(`${PARSE_ERROR}: ${PARSE_ERROR}: netip.ParsePrefix(${shown}): ${parsed.message}`);
  }
  if (isMapped4(parsed.address)) return new Failure(`${PARSE_ERROR}: IPv4-mapped IPv6 address ${shown} is not allowed`);
  return new CidrValue(parsed);
}

function aboutIp(read: (address: IpAddress) => Value): Implementation {
  return (value) => (value instanceof IpValue ? read(value.address) : noSuchOverload());
}

function aboutCidr(read: (cidr: Cidr) => Value): Implementation {
  return (value) => (value instanceof CidrValue ? read(value.cidr) : noSuchOverload());
}

function isGlobalUnicast(address: IpAddress): boolean {
  const isBroadcast = address.family === 'IPv4' && address.value === 0xffff_ffffn;
  return !(
    isBroadcast ||
    isMulticast(address) ||
    isUnspecified(address) ||
    isLoopback(address) ||
    isLinkLocalUnicast(address)
  );
}

const containsIp: Implementation = (cidr, other = null) => {
  const ip = typeof other === 'string' ? toIp(other) : other;
  // Upstream loses the reason here, and reports an invalid address as an argument of the wrong type.
  if (!(cidr instanceof CidrValue) || !(ip instanceof IpValue)) return noSuchOverload();
  return cidrContains(cidr.cidr, ip.address);
};

const containsCidr: Implementation = (cidr, other = null) => {
  const inner = typeof other === 'string' ? toCidr(other) : other;
  if (inner instanceof Failure) return inner;
  if (!(cidr instanceof CidrValue) || !(inner instanceof CidrValue)) return noSuchOverload();
  return cidr.cidr.prefix <= inner.cidr.prefix && cidrContains(cidr.cidr, inner.cidr.address);
};

const isCanonical: Implementation = (text) => {
  const ip = toIp(text ?? null);
  return ip instanceof Failure ? ip : formatIp(ip.address) === asText(text);
};

export const networkLibrary: Library = {
  ip: [
    ['string_to_ip', '(string): IP', toIp],
    ['cidr_ip', 'CIDR.(): IP', aboutCidr((cidr) => new IpValue(cidr.address))],
  ],
  isIP: [['is_ip', '(string): bool', (text = null) => toIp(text) instanceof IpValue]],
  'ip.isCanonical': [['ip_is_canonical', '(string): bool', isCanonical]],
  family: [['ip_family', 'IP.(): int', aboutIp((address) => (address.family === 'IPv4' ? 4n : 6n))]],
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
  prefixLength: [['cidr_prefix_length', 'CIDR.(): int', aboutCidr((cidr) => BigInt(cidr.prefix))]],
  masked: [['cidr_masked', 'CIDR.(): CIDR', aboutCidr((cidr) => new CidrValue(maskCidr(cidr)))]],
  string: [
    ['ip_to_string', '(IP): string', aboutIp(formatIp)],
    ['cidr_to_string', '(CIDR): string', aboutCidr(formatCidr)],
  ],
};
