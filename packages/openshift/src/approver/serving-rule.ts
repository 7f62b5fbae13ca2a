import type { Frozen } from '@slipway/kube';
import type { AlternativeNames, CertificateSubject, SigningRequest } from '@slipway/pki';
import type { CertificateSigningRequest } from '@slipway/runtime';
import { type ApproverMachine, byGroup } from './approver-machine.js';
import type { ApprovalFacts } from './decide.js';
import { authenticatedGroup, nodesGroup, nodeUserPrefix } from './names.js';
import { canonicalIp, isInNetworks, isSameHost, isSameIp, isSameMultiset } from './names-compare.js';
import { approve, ignore, tryAgain, type Verdict } from './verdict.js';

/** Serving certificate of a kubelet, verified against the kubelet CA. */
export interface ServedCertificate extends AlternativeNames {
  readonly subject: CertificateSubject;
}

/** Egress addresses of a node from OpenShiftSDN. */
export interface EgressAddresses {
  readonly ips: readonly string[];
  readonly networks: readonly string[];
}

const usageSets = [
  ['digital signature', 'server auth'],
  ['digital signature', 'server auth', 'key encipherment'],
];

/** Returns the Node name of a serving certificate request, or undefined if the request has another form. */
function servingNodeName({ spec }: Frozen<CertificateSigningRequest>, parsed: SigningRequest): string | undefined {
  const { username = '', groups = [], usages = [] } = spec;
  const nodeName = username.startsWith(nodeUserPrefix) ? username.slice(nodeUserPrefix.length) : '';
  const isWellFormed =
    nodeName !== '' &&
    groups.includes(nodesGroup) &&
    groups.includes(authenticatedGroup) &&
    usageSets.some((set) => isSameMultiset(usages, set)) &&
    parsed.subject.commonName === username &&
    parsed.subject.organizations.includes(nodesGroup);
  return isWellFormed ? nodeName : undefined;
}

export function decideServing(
  request: Frozen<CertificateSigningRequest>,
  parsed: SigningRequest,
  facts: ApprovalFacts,
): Verdict {
  const nodeName = servingNodeName(request, parsed);
  if (nodeName === undefined)
    return ignore(
      'WrongContent',
      'user, groups, subject or usages do not match a serving certificate request of a kubelet',
    );
  const byMachine = decideByMachine(parsed, facts.machines, nodeName);
  if (byMachine.type === 'approve') return byMachine;
  const { served, egress } = facts;
  if (served !== undefined && isRenewal(parsed, served)) return approve('serving', 'renewal');
  if (served !== undefined && egress !== undefined && isEgressRenewal(parsed, served, egress))
    return approve('serving', 'egress-ip');
  return byMachine;
}

/**
 * Decides by the addresses of the Machine. This is checked first, because it needs no connection to the kubelet. The order does
 * not affect the result.
 */
function decideByMachine(parsed: SigningRequest, machines: readonly ApproverMachine[], nodeName: string): Verdict {
  let verdict = tryAgain('NoMachine', `no Machine has the Node ${nodeName}`);
  for (const group of byGroup(machines)) {
    const [machine, ...others] = group.filter((one) => one.nodeName === nodeName);
    if (machine === undefined) continue;
    if (others.length > 0) verdict = tryAgain('AmbiguousMachine', `several Machines have the Node ${nodeName}`);
    else if (hasAllNames(machine, parsed)) return approve('serving', 'machine');
    else
      verdict = tryAgain(
        'NamesNotOfMachine',
        `Machine ${machine.name} does not report all names and addresses of the request`,
      );
  }
  return verdict;
}

const hostTypes = ['InternalDNS', 'ExternalDNS', 'Hostname'];
const ipTypes = ['InternalIP', 'ExternalIP'];

function hasAllNames({ addresses }: ApproverMachine, parsed: SigningRequest): boolean {
  if (parsed.emailAddresses.length > 0 || parsed.uris.length > 0) return false;
  const hosts = addresses.filter(({ type }) => hostTypes.includes(type));
  const ips = addresses.filter(({ type }) => ipTypes.includes(type));
  return (
    parsed.dnsNames.every((name) => name === '' || hosts.some(({ address }) => isSameHost(name, address))) &&
    parsed.ipAddresses.every((ip) => ips.some(({ address }) => isSameIp(ip, address)))
  );
}

function isRenewal(parsed: SigningRequest, served: ServedCertificate): boolean {
  return hasSameNames(parsed, served) && isSameMultiset(canonical(parsed.ipAddresses), canonical(served.ipAddresses));
}

function isEgressRenewal(parsed: SigningRequest, served: ServedCertificate, egress: EgressAddresses): boolean {
  const known = [...served.ipAddresses, ...egress.ips];
  return (
    hasSameNames(parsed, served) &&
    parsed.ipAddresses.every((ip) => known.some((one) => isSameIp(ip, one)) || isInNetworks(ip, egress.networks))
  );
}

/** Returns whether all names except IP addresses are equal. */
function hasSameNames(parsed: SigningRequest, served: ServedCertificate): boolean {
  return (
    parsed.subject.commonName === served.subject.commonName &&
    isSameMultiset(parsed.dnsNames, served.dnsNames) &&
    isSameMultiset(parsed.emailAddresses, served.emailAddresses) &&
    isSameMultiset(parsed.uris, served.uris)
  );
}

function canonical(addresses: readonly string[]): string[] {
  return addresses.map((address) => canonicalIp(address) ?? address);
}
