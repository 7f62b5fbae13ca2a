import type { SigningRequestTemplate } from '@slipway/pki';
import { describe, expect, it } from 'vitest';
import { type ApprovalFacts, decide } from './decide.js';
import { signers } from './names.js';
import {
  clientTemplate,
  joinedMachine,
  machine,
  nodeName,
  type RequestOptions,
  servingRequest,
  servingTemplate,
} from './testing/requests.js';

interface Row {
  readonly name: string;
  readonly request?: RequestOptions;
  readonly facts?: Partial<ApprovalFacts>;
  readonly then: string;
}

const served = {
  subject: { commonName: `system:node:${nodeName}`, organizations: ['system:nodes'] },
  dnsNames: [nodeName, 'worker-1'],
  ipAddresses: ['10.0.0.11', 'fd00::b'],
  emailAddresses: [],
  uris: [],
};
const egress = { ips: ['10.0.0.50'], networks: ['10.0.9.0/24', 'nonsense', '10.0.0.0/99'] };
const names = (changed: Partial<SigningRequestTemplate>): RequestOptions => ({
  template: { ...servingTemplate, ...changed },
});
const groups = (...given: string[]): RequestOptions => ({ spec: { groups: given } });
const usages = (...given: string[]): RequestOptions => ({ spec: { usages: given } });
const renewal = (facts: Partial<ApprovalFacts> = {}): Partial<ApprovalFacts> => ({ machines: [], served, ...facts });

const rows: readonly Row[] = [
  { name: 'a machine with all the names', then: 'approve machine' },
  { name: 'no key encipherment', request: usages('digital signature', 'server auth'), then: 'approve machine' },
  {
    name: 'another third usage',
    request: usages('digital signature', 'server auth', 'client auth'),
    then: 'ignore WrongContent',
  },
  { name: 'no server auth', request: usages('digital signature', 'key encipherment'), then: 'ignore WrongContent' },
  {
    name: 'further groups [operators 45]',
    request: groups('system:nodes', 'system:authenticated', 'more'),
    then: 'approve machine',
  },
  { name: 'not authenticated', request: groups('system:nodes'), then: 'ignore WrongContent' },
  { name: 'not of the nodes', request: groups('system:authenticated'), then: 'ignore NotOurs' },
  { name: 'another user', request: { spec: { username: 'system:node:other' } }, then: 'ignore WrongContent' },
  { name: 'a user that is not a node', request: { spec: { username: 'administrator' } }, then: 'ignore WrongContent' },
  { name: 'a node without a name', request: { spec: { username: 'system:node:' } }, then: 'ignore WrongContent' },
  {
    name: 'a common name of another node',
    request: names({ subject: { commonName: 'system:node:other', organizations: ['system:nodes'] } }),
    then: 'ignore WrongContent',
  },
  {
    name: 'a common name in upper case',
    request: names({
      subject: { commonName: `system:node:${nodeName.toUpperCase()}`, organizations: ['system:nodes'] },
    }),
    then: 'ignore WrongContent',
  },
  {
    name: 'no organization',
    request: names({ subject: { commonName: `system:node:${nodeName}` } }),
    then: 'ignore WrongContent',
  },
  {
    name: 'the signer of client certificates',
    request: { spec: { signerName: signers.kubeletClient } },
    then: 'ignore NotOurs',
  },
  { name: 'no names at all', request: { template: clientTemplate }, then: 'approve machine' },
  { name: 'a name in upper case', request: names({ dnsNames: [nodeName.toUpperCase()] }), then: 'approve machine' },
  { name: 'the external name', request: names({ dnsNames: ['worker-1.public.example.com'] }), then: 'approve machine' },
  { name: 'the external address', request: names({ ipAddresses: ['203.0.113.11'] }), then: 'approve machine' },
  {
    name: 'an address with a trailing dot',
    facts: {
      machines: [
        {
          ...joinedMachine,
          addresses: joinedMachine.addresses.map((one) => ({
            ...one,
            address: one.type === 'InternalDNS' ? `${nodeName}.` : one.address,
          })),
        },
      ],
    },
    then: 'approve machine',
  },
  {
    name: 'the name of another host',
    request: names({ dnsNames: [nodeName, 'api.example.com'] }),
    then: 'retry NamesNotOfMachine',
  },
  {
    name: 'the name of the API server',
    request: names({ dnsNames: ['kubernetes.default.svc'] }),
    then: 'retry NamesNotOfMachine',
  },
  { name: 'a wildcard', request: names({ dnsNames: ['*.example.com'] }), then: 'retry NamesNotOfMachine' },
  {
    name: 'an address of another host',
    request: names({ ipAddresses: ['10.0.0.12'] }),
    then: 'retry NamesNotOfMachine',
  },
  {
    name: 'an address written as a name',
    request: names({ dnsNames: ['10.0.0.11'] }),
    then: 'retry NamesNotOfMachine',
  },
  {
    name: 'another spelling of an IPv6 address in the Machine [operators 53]',
    facts: {
      machines: [
        {
          ...joinedMachine,
          addresses: joinedMachine.addresses.map((one) =>
            one.address === 'fd00::b' ? { ...one, address: 'FD00:0:0:0:0:0:0:000B' } : one,
          ),
        },
      ],
    },
    then: 'approve machine',
  },
  { name: 'an e-mail address', request: names({ emailAddresses: ['a@example.com'] }), then: 'retry NamesNotOfMachine' },
  { name: 'a URI', request: names({ uris: ['https://example.com/'] }), then: 'retry NamesNotOfMachine' },
  {
    name: 'no Node of a Machine has that name [operators 46]',
    facts: { machines: [machine] },
    then: 'retry NoMachine',
  },
  {
    name: 'a machine whose Node has another name',
    facts: { machines: [{ ...machine, nodeName: 'other' }] },
    then: 'retry NoMachine',
  },
  {
    name: 'two machines with one Node',
    facts: { machines: [joinedMachine, { ...joinedMachine, name: 'worker-2' }] },
    then: 'retry AmbiguousMachine',
  },
  {
    name: 'mirrors in both APIs',
    facts: {
      machines: [
        { ...joinedMachine, addresses: [] },
        { ...joinedMachine, group: 'machine.openshift.io' },
      ],
    },
    then: 'approve machine',
  },
  { name: 'the same certificate again', facts: renewal(), then: 'approve renewal' },
  {
    name: 'the same in another order',
    request: names({ dnsNames: ['worker-1', nodeName], ipAddresses: ['fd00::b', '10.0.0.11'] }),
    facts: renewal(),
    then: 'approve renewal',
  },
  {
    name: 'a name more than is served',
    request: names({ dnsNames: [nodeName, 'worker-1', 'more'] }),
    facts: renewal(),
    then: 'retry NoMachine',
  },
  {
    name: 'a name less than is served',
    request: names({ dnsNames: [nodeName] }),
    facts: renewal(),
    then: 'retry NoMachine',
  },
  {
    name: 'an address more than is served',
    request: names({ ipAddresses: ['10.0.0.11', 'fd00::b', '10.0.0.50'] }),
    facts: renewal(),
    then: 'retry NoMachine',
  },
  {
    name: 'a URI more than is served',
    request: names({ uris: ['https://example.com/'] }),
    facts: renewal(),
    then: 'retry NoMachine',
  },
  {
    name: 'a served certificate of another node',
    facts: renewal({ served: { ...served, subject: { ...served.subject, commonName: 'system:node:other' } } }),
    then: 'retry NoMachine',
  },
  {
    name: 'an egress address',
    request: names({ ipAddresses: ['10.0.0.11', '10.0.0.50'] }),
    facts: renewal({ egress }),
    then: 'approve egress-ip',
  },
  {
    name: 'an address of an egress network',
    request: names({ ipAddresses: ['10.0.0.11', '10.0.9.7'] }),
    facts: renewal({ egress }),
    then: 'approve egress-ip',
  },
  {
    name: 'an address outside of it',
    request: names({ ipAddresses: ['10.0.0.11', '10.0.8.7'] }),
    facts: renewal({ egress }),
    then: 'retry NoMachine',
  },
  {
    name: 'an egress address and another name',
    request: names({ dnsNames: ['other'], ipAddresses: ['10.0.0.50'] }),
    facts: renewal({ egress }),
    then: 'retry NoMachine',
  },
  {
    name: 'an egress address without a served certificate',
    request: names({ ipAddresses: ['10.0.0.50'] }),
    facts: { machines: [], egress },
    then: 'retry NoMachine',
  },
];

describe('a request for a serving certificate', () => {
  it.each(rows)('$name: $then', async ({ request, facts, then }) => {
    const verdict = decide(await servingRequest(request), {
      machines: [joinedMachine],
      nodeNames: new Set([nodeName]),
      ...facts,
    });
    expect(verdict.type === 'approve' ? `approve ${verdict.path}` : `${verdict.type} ${verdict.reason}`).toBe(then);
  });
});
