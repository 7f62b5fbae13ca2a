import type { Frozen } from '@slipway/kube';
import type { SigningRequest } from '@slipway/pki';
import type { CertificateSigningRequest } from '@slipway/runtime';
import { type ApproverMachine, byGroup, hasInternalName } from './approver-machine.js';
import type { ApprovalFacts } from './decide.js';
import { createdMsOf } from './event-filter.js';
import { clockSkewMs, nodeBootstrapper, nodesGroup, nodeUserPrefix } from './names.js';
import { foldCase, isNodeName, isSameMultiset, isSameSet } from './names-compare.js';
import { approve, ignore, tryAgain, type Verdict } from './verdict.js';

type Request = Frozen<CertificateSigningRequest>;

const usageSets = [
  ['digital signature', 'client auth'],
  ['digital signature', 'client auth', 'key encipherment'],
];
/** Time after the creation of a Machine in which its client certificate can be approved. */
const joinWindowMs = 7_200_000;

/** Returns whether the request has the form of a kubelet's first client certificate request. */
export function isClientRequest({ spec }: Request, parsed: SigningRequest): boolean {
  const { commonName, organizations } = parsed.subject;
  const names = [parsed.dnsNames, parsed.ipAddresses, parsed.emailAddresses, parsed.uris];
  return (
    isSameMultiset(organizations, [nodesGroup]) &&
    names.every((list) => list.length === 0) &&
    usageSets.some((usages) => isSameMultiset(spec.usages ?? [], usages)) &&
    commonName.startsWith(nodeUserPrefix)
  );
}

export function decideClient(request: Request, parsed: SigningRequest, facts: ApprovalFacts): Verdict {
  if (facts.clientFlowDisabled === true)
    return tryAgain('ClientFlowDisabled', 'nodeClientCert.disabled is set in the configuration of the approver');
  const { username, groups = [] } = request.spec;
  if (username !== nodeBootstrapper.username || !isSameSet(groups, nodeBootstrapper.groups))
    return ignore('WrongIdentity', 'the request was not created by the bootstrap account of new machines');
  const nodeName = parsed.subject.commonName.slice(nodeUserPrefix.length);
  if (!isNodeName(nodeName)) return ignore('WrongContent', 'the common name does not contain a valid Node name');
  if (facts.nodeNames.has(nodeName) || facts.nodeNames.has(foldCase(nodeName)))
    return ignore('NodeExists', `Node ${foldCase(nodeName)} already exists`);
  const verdicts = byGroup(facts.machines).map((machines) => decideByMachines(request, machines, nodeName));
  return (
    verdicts.find(({ type }) => type === 'approve') ??
    verdicts.find((verdict) => verdict.type !== 'approve' && verdict.reason !== 'NoMachine') ??
    noMachine(nodeName)
  );
}

function decideByMachines(request: Request, machines: readonly ApproverMachine[], nodeName: string): Verdict {
  const [machine, ...others] = machines.filter((one) => hasInternalName(one, nodeName));
  if (machine === undefined) return noMachine(nodeName);
  if (others.length > 0)
    return tryAgain(
      'AmbiguousMachine',
      `Machines ${machine.name} and ${others[0]?.name} both have the name ${nodeName}`,
    );
  if (machine.nodeName !== undefined)
    return ignore('MachineHasNode', `Machine ${machine.name} already has a Node: ${machine.nodeName}`);
  const afterMs = createdMsOf(request) - machine.createdMs;
  // Written with a negation, so that NaN from an invalid time is rejected as well.
  if (!(afterMs > -clockSkewMs && afterMs < joinWindowMs))
    return ignore(
      'OutsideOfTimeWindow',
      `the request was not created within two hours of the creation of Machine ${machine.name}`,
    );
  return approve('client', 'bootstrap');
}

function noMachine(nodeName: string): Verdict {
  return tryAgain(
    'NoMachine',
    `no Machine has an InternalDNS address ${nodeName}: the infrastructure provider must report it`,
  );
}
