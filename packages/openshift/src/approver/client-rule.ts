import type { SigningRequest } from '@slipway/base';
import type { Frozen } from '@slipway/kube';
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
/** A machine that has not asked in this time does not ask any more. */
const joinWindowMs = 7_200_000;

/** It looks like what a kubelet sends to get its first client certificate. */
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
    return ignore('WrongIdentity', 'it was not made by the account that new machines have');
  const nodeName = parsed.subject.commonName.slice(nodeUserPrefix.length);
  if (!isNodeName(nodeName)) return ignore('WrongContent', 'the common name holds no name that a Node could have');
  if (facts.nodeNames.has(nodeName) || facts.nodeNames.has(foldCase(nodeName)))
    return ignore('NodeExists', `there is a Node ${foldCase(nodeName)} already`);
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
    return ignore('MachineHasNode', `Machine ${machine.name} has a Node already: ${machine.nodeName}`);
  const afterMs = createdMsOf(request) - machine.createdMs;
  // A time that cannot be read is in no window.
  if (!(afterMs > -clockSkewMs && afterMs < joinWindowMs))
    return ignore('OutsideOfTimeWindow', `it was not made within two hours of Machine ${machine.name}`);
  return approve('client', 'bootstrap');
}

function noMachine(nodeName: string): Verdict {
  return tryAgain('NoMachine', `no Machine has an InternalDNS address ${nodeName}: its provider has to report one`);
}
