import { generatePrivateKey } from '@slipway/pki';
import { describe, expect, it } from 'vitest';
import { type ApprovalFacts, decide } from './decide.js';
import { nodeBootstrapper, signers } from './names.js';
import {
  clientRequest,
  clientTemplate,
  machine,
  machineMadeMs,
  nodeName,
  type RequestOptions,
  servingTemplate,
} from './testing/requests.js';

interface Row {
  readonly name: string;
  readonly request?: RequestOptions;
  readonly facts?: Partial<ApprovalFacts>;
  /** Expected result: `approve`, or the outcome and the reason. */
  readonly then: string;
}

const common = (commonName: string): RequestOptions => ({
  template: { ...clientTemplate, subject: { commonName, organizations: ['system:nodes'] } },
});
const organizations = (...given: string[]): RequestOptions => ({
  template: { subject: { commonName: `system:node:${nodeName}`, organizations: given } },
});
const named = (...addresses: string[]): Partial<ApprovalFacts> => ({
  machines: [{ ...machine, addresses: addresses.map((address) => ({ type: 'InternalDNS', address })) }],
});
const usages = (...given: string[]): RequestOptions => ({ spec: { usages: given } });
const rsa = await generatePrivateKey('RSA');

const rows: readonly Row[] = [
  { name: 'a new machine, ECDSA', then: 'approve' },
  { name: 'a new machine, RSA', request: { key: rsa }, then: 'approve' },
  { name: 'usages without key encipherment', request: usages('digital signature', 'client auth'), then: 'approve' },
  { name: 'usages in another order', request: usages('client auth', 'digital signature'), then: 'approve' },
  {
    name: 'a usage too many',
    request: usages('digital signature', 'client auth', 'server auth'),
    then: 'ignore WrongContent',
  },
  {
    name: 'four usages',
    request: usages('digital signature', 'key encipherment', 'client auth', 'any'),
    then: 'ignore WrongContent',
  },
  {
    name: 'a usage twice',
    request: usages('digital signature', 'digital signature', 'client auth'),
    then: 'ignore WrongContent',
  },
  { name: 'no client auth', request: usages('digital signature', 'key encipherment'), then: 'ignore WrongContent' },
  { name: 'no usages', request: { spec: { usages: [] } }, then: 'ignore WrongContent' },
  { name: 'an address with a trailing dot', facts: named(`${nodeName}.`), then: 'approve' },
  { name: 'an address with two trailing dots', facts: named(`${nodeName}..`), then: 'retry NoMachine' },
  { name: 'an address in upper case', facts: named(nodeName.toUpperCase()), then: 'approve' },
  { name: 'a common name in upper case', request: common(`system:node:${nodeName.toUpperCase()}`), then: 'approve' },
  {
    name: 'an upper-case spelling of a Node that exists',
    request: common(`system:node:${nodeName.toUpperCase()}`),
    facts: { nodeNames: new Set([nodeName]) },
    then: 'ignore NodeExists',
  },
  {
    name: 'a common name with a trailing dot',
    request: common(`system:node:${nodeName}.`),
    then: 'ignore WrongContent',
  },
  { name: 'the second InternalDNS address', facts: named('other', nodeName), then: 'approve' },
  {
    name: 'a machine that reports no InternalDNS [operators 51]',
    facts: { machines: [{ ...machine, addresses: [{ type: 'Hostname', address: nodeName }] }] },
    then: 'retry NoMachine',
  },
  {
    name: 'an ExternalDNS address of that name',
    facts: { machines: [{ ...machine, addresses: [{ type: 'ExternalDNS', address: nodeName }] }] },
    then: 'retry NoMachine',
  },
  { name: 'no machines at all', facts: { machines: [] }, then: 'retry NoMachine' },
  {
    name: 'a name that begins like the machine',
    request: common(`system:node:${nodeName}.evil.com`),
    then: 'retry NoMachine',
  },
  { name: 'a name that ends like the machine', request: common(`system:node:x${nodeName}`), then: 'retry NoMachine' },
  { name: 'only the first label of the name', request: common('system:node:worker-1'), then: 'retry NoMachine' },
  {
    name: 'a digit one that is a letter',
    request: common('system:node:worker-l.example.com'),
    then: 'retry NoMachine',
  },
  {
    name: 'a Cyrillic look-alike',
    request: common('system:node:w\u043Erker-1.example.com'),
    then: 'ignore WrongContent',
  },
  {
    name: 'a Kelvin sign, which folds to k',
    request: common('system:node:wor\u212Aer-1.example.com'),
    then: 'ignore WrongContent',
  },
  {
    name: 'a machine whose address has a Kelvin sign',
    facts: named('wor\u212Aer-1.example.com'),
    then: 'retry NoMachine',
  },
  {
    name: 'a zero byte behind the name',
    request: common(`system:node:${nodeName}\u0000`),
    then: 'ignore WrongContent',
  },
  { name: 'a space behind the name', request: common(`system:node:${nodeName} `), then: 'ignore WrongContent' },
  { name: 'a wildcard', request: common('system:node:*.example.com'), then: 'ignore WrongContent' },
  { name: 'no node name', request: common('system:node:'), then: 'ignore WrongContent' },
  { name: 'no common name', request: common(''), then: 'ignore WrongContent' },
  { name: 'a common name without prefix', request: common(nodeName), then: 'ignore WrongContent' },
  { name: 'a prefix in upper case', request: common(`SYSTEM:NODE:${nodeName}`), then: 'ignore WrongContent' },
  { name: 'a name of 254 characters', request: common(`system:node:${'a'.repeat(254)}`), then: 'ignore WrongContent' },
  { name: 'no organization', request: organizations(), then: 'ignore WrongContent' },
  { name: 'the administrators as organization', request: organizations('system:masters'), then: 'ignore WrongContent' },
  {
    name: 'the administrators beside the nodes',
    request: organizations('system:nodes', 'system:masters'),
    then: 'ignore WrongContent',
  },
  { name: 'the nodes twice', request: organizations('system:nodes', 'system:nodes'), then: 'ignore WrongContent' },
  {
    name: 'DNS names',
    request: { template: { ...clientTemplate, dnsNames: [nodeName] } },
    then: 'ignore WrongContent',
  },
  {
    name: 'addresses',
    request: { template: { ...clientTemplate, ipAddresses: ['10.0.0.11'] } },
    then: 'ignore WrongContent',
  },
  {
    name: 'an e-mail address',
    request: { template: { ...clientTemplate, emailAddresses: ['a@example.com'] } },
    then: 'ignore WrongContent',
  },
  {
    name: 'a URI',
    request: { template: { ...clientTemplate, uris: ['spiffe://cluster/node'] } },
    then: 'ignore WrongContent',
  },
  { name: 'the content of a serving request', request: { template: servingTemplate }, then: 'ignore WrongContent' },
  {
    name: 'a group too many [operators 45]',
    request: { spec: { groups: [...nodeBootstrapper.groups, 'system:masters'] } },
    then: 'ignore WrongIdentity',
  },
  {
    name: 'a group too few [operators 45]',
    request: { spec: { groups: nodeBootstrapper.groups.slice(1) } },
    then: 'ignore WrongIdentity',
  },
  {
    name: 'groups in another order',
    request: { spec: { groups: [...nodeBootstrapper.groups].reverse() } },
    then: 'approve',
  },
  { name: 'no groups', request: { spec: { groups: [] } }, then: 'ignore WrongIdentity' },
  {
    name: 'another service account',
    request: { spec: { username: 'system:serviceaccount:default:node-bootstrapper' } },
    then: 'ignore NotOurs',
  },
  {
    name: 'a node that renews its client certificate',
    request: { spec: { username: `system:node:${nodeName}`, groups: ['system:nodes', 'system:authenticated'] } },
    then: 'ignore NotOurs',
  },
  { name: 'a bootstrap token', request: { spec: { username: 'system:bootstrap:abcdef' } }, then: 'ignore NotOurs' },
  {
    name: 'another signer',
    request: { spec: { signerName: 'kubernetes.io/kube-apiserver-client' } },
    then: 'ignore NotOurs',
  },
  {
    name: 'the signer of serving certificates',
    request: { spec: { signerName: signers.kubeletServing } },
    then: 'ignore NotOurs',
  },
  { name: 'a Node of that name', facts: { nodeNames: new Set([nodeName]) }, then: 'ignore NodeExists' },
  {
    name: 'a machine that has a Node',
    facts: { machines: [{ ...machine, nodeName: 'other' }] },
    then: 'ignore MachineHasNode',
  },
  {
    name: 'two machines of that name',
    facts: { machines: [machine, { ...machine, name: 'worker-2' }] },
    then: 'retry AmbiguousMachine',
  },
  {
    name: 'mirrors of one machine in both APIs',
    facts: { machines: [machine, { ...machine, group: 'machine.openshift.io' }] },
    then: 'approve',
  },
  {
    name: 'ten seconds before the machine [operators 44]',
    request: { createdMs: machineMadeMs - 10_000 },
    then: 'ignore OutsideOfTimeWindow',
  },
  {
    name: 'nine seconds before the machine [operators 44]',
    request: { createdMs: machineMadeMs - 9_000 },
    then: 'approve',
  },
  {
    name: 'two hours after the machine [operators 44]',
    request: { createdMs: machineMadeMs + 7_200_000 },
    then: 'ignore OutsideOfTimeWindow',
  },
  {
    name: 'a second less than two hours after it [operators 44]',
    request: { createdMs: machineMadeMs + 7_199_000 },
    then: 'approve',
  },
  {
    name: 'a machine that was restored later [operators 44]',
    facts: { machines: [{ ...machine, createdMs: machineMadeMs + 3_600_000 }] },
    then: 'ignore OutsideOfTimeWindow',
  },
  {
    name: 'a machine without a time',
    facts: { machines: [{ ...machine, createdMs: Number.NaN }] },
    then: 'ignore OutsideOfTimeWindow',
  },
  { name: 'the flow switched off', facts: { clientFlowDisabled: true }, then: 'retry ClientFlowDisabled' },
  {
    name: 'approved already',
    request: { status: { conditions: [{ type: 'Approved', status: 'True' }] } },
    then: 'ignore AlreadyDecided',
  },
  {
    name: 'denied',
    request: { status: { conditions: [{ type: 'Denied', status: 'True' }] } },
    then: 'ignore AlreadyDecided',
  },
  {
    name: 'failed',
    request: { status: { conditions: [{ type: 'Failed', status: 'True' }] } },
    then: 'ignore AlreadyDecided',
  },
  { name: 'no PEM [operators 46]', request: { encoded: () => 'hello' }, then: 'ignore Malformed' },
  { name: 'an empty request [operators 46]', request: { encoded: () => '' }, then: 'ignore Malformed' },
  {
    name: 'a PEM block of another type',
    request: { encoded: (pem) => pem.replaceAll('CERTIFICATE REQUEST', 'CERTIFICATE') },
    then: 'ignore Malformed',
  },
  {
    name: 'a request that is cut off',
    request: { encoded: (pem) => pem.replace(/\n.{30}/, '\n') },
    then: 'ignore Malformed',
  },
];

describe('a request for a client certificate', () => {
  it.each(rows)('$name: $then', async ({ request, facts, then }) => {
    const verdict = decide(await clientRequest(request), { machines: [machine], nodeNames: new Set(), ...facts });
    expect(verdict.type === 'approve' ? 'approve' : `${verdict.type} ${verdict.reason}`).toBe(then);
  });
});
