import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { ensureServerIdentity, openIdentityDirectory } from '@slipway/apiserver';
import { systemClock, systemRandom } from '@slipway/base';
import { certificateToPem, KeyPool, privateKeyToPem } from '@slipway/pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpsClient } from '../support/https-client.js';
import { createKey } from '../support/openssl-certificates.js';
import { type RealKubeApiserver, startRealKubeApiserver } from '../support/real-kube-apiserver.js';
import { type ServerUnderTest, startOurServer } from '../support/server-under-test.js';

// Signs in to kube-apiserver and to Slipway with certificates that openssl issued below the CA of each server.
const folder = mkdtempSync(`${tmpdir()}/client-certificates-`);
let kubeApiserver: RealKubeApiserver;
let ours: ServerUnderTest;

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Issues `name` by `issuer`, both relative to the folder. */
function issue(issuer: string, name: string, extensions: readonly string[]): void {
  const path = (suffix: string): string => `${folder}/${name}.${suffix}`;
  createKey(path('key'));
  writeFileSync(path('ext'), extensions.join('\n'));
  openssl('req', '-new', '-key', path('key'), '-out', path('csr'), '-subj', `/O=testers/CN=${name.split('-').at(-1)}`);
  const signer = ['-CA', `${folder}/${issuer}.crt`, '-CAkey', `${folder}/${issuer}.key`, '-CAcreateserial'];
  openssl('x509', '-req', '-in', path('csr'), '-out', path('crt'), '-extfile', path('ext'), '-days', '30', ...signer);
}

const client = ['extendedKeyUsage=clientAuth'];
const ca = (constraints = 'CA:TRUE', ...more: string[]): string[] => [
  `basicConstraints=critical,${constraints}`,
  'keyUsage=critical,keyCertSign',
  ...more,
];

/** Each case: certificates to issue from the root downwards, and whether the client also sends the intermediates. */
const cases = [
  { name: 'issued by the CA', chain: [client], sent: true, accepted: true },
  { name: 'issued by an intermediate CA, sent with its chain', chain: [ca(), client], sent: true, accepted: true },
  { name: 'issued by an intermediate CA, sent alone', chain: [ca(), client], sent: false, accepted: false },
  { name: 'below two intermediate CAs', chain: [ca(), ca(), client], sent: true, accepted: true },
  {
    name: 'below a CA that may not have CAs below it',
    chain: [ca('CA:TRUE,pathlen:0'), ca(), client],
    sent: true,
    accepted: false,
  },
  {
    name: 'below a CA for servers',
    chain: [ca('CA:TRUE', 'extendedKeyUsage=serverAuth'), client],
    sent: true,
    accepted: false,
  },
  { name: 'issued by a certificate that is not a CA', chain: [client, client], sent: true, accepted: false },
  {
    name: 'with an unknown critical extension',
    chain: [[...client, '1.2.3.4.5=critical,DER:0500']],
    sent: true,
    accepted: false,
  },
  { name: 'with an unknown extension', chain: [[...client, '1.2.3.4.5=DER:0500']], sent: true, accepted: true },
  {
    name: 'below a CA with an unknown critical extension',
    chain: [ca('CA:TRUE', '1.2.3.4.5=critical,DER:0500'), client],
    sent: true,
    accepted: false,
  },
];

beforeAll(async () => {
  const environment = { clock: systemClock, random: systemRandom, keys: new KeyPool() };
  const files = openIdentityDirectory(`${folder}/identity`, systemRandom);
  const identity = await ensureServerIdentity({ ...environment, files }, {});
  [kubeApiserver, ours] = await Promise.all([startRealKubeApiserver(), startOurServer({ identity })]);
  for (const suffix of ['crt', 'key'])
    copyFileSync(`${kubeApiserver.folder}/ca.${suffix}`, `${folder}/theirs.${suffix}`);
  writeFileSync(`${folder}/ours.crt`, certificateToPem(identity.authority.certificate));
  writeFileSync(`${folder}/ours.key`, privateKeyToPem(identity.authority.key));
});
afterAll(async () => {
  await kubeApiserver?.stop();
  await ours?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function signIn(side: 'theirs' | 'ours', index: number): Promise<unknown> {
  const { chain, sent } = cases[index] ?? { chain: [], sent: false };
  const names = chain.map((_, depth) => `${side}-${index}-user${depth}`);
  chain.forEach((extensions, depth) =>
    issue(depth === 0 ? side : (names[depth - 1] ?? ''), names[depth] ?? '', extensions),
  );
  const leaf = names.at(-1) ?? '';
  const pem = (name: string): string => readFileSync(`${folder}/${name}.crt`, 'utf8');
  const { url, port } = side === 'ours' ? ours : kubeApiserver;
  const https = new HttpsClient({
    name: side === 'ours' ? 'slipway' : 'kube-apiserver',
    url,
    port,
    certificateAuthority: pem(side),
    clientCertificate: (sent ? names.toReversed() : [leaf]).map(pem).join(''),
    clientKey: readFileSync(`${folder}/${leaf}.key`, 'utf8'),
    kubeconfigFile: '',
    stop: () => Promise.resolve(),
  });
  try {
    const answer = await https.call({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
    });
    const body = JSON.parse(answer.text) as { status?: { userInfo?: { username: string; groups: string[] } } };
    const { username, groups } = body.status?.userInfo ?? {};
    return { status: answer.status, username, groups };
  } finally {
    https.close();
  }
}

describe('a client certificate', () => {
  it.each(cases.map((one, index) => ({ ...one, index })))(
    '$name gets the same answer as from kube-apiserver',
    async ({ index, accepted }) => {
      const [theirs, own] = await Promise.all([signIn('theirs', index), signIn('ours', index)]);
      expect(own).toEqual(theirs);
      expect(theirs).toMatchObject({ status: accepted ? 201 : 401 });
    },
  );
});
