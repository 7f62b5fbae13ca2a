import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { peerBinary } from '../support/peer-process.js';
import { runCommand } from '../support/run-command.js';
import { type ServerUnderTest, startOurServer } from '../support/server-under-test.js';

interface CheckOutcome {
  readonly name: string;
  readonly facts?: unknown;
  readonly error?: string;
}

// Runs unmodified client-go and controller-runtime in a test program (test/peers/clients).
let server: ServerUnderTest;
let outcomes: readonly CheckOutcome[] = [];
let log = '';

beforeAll(async () => {
  server = await startOurServer();
  const result = await runCommand(peerBinary('clients'), [server.kubeconfigFile]);
  log = result.stderr;
  outcomes = JSON.parse(result.stdout === '' ? '[]' : result.stdout) as CheckOutcome[];
});
afterAll(async () => {
  await server?.stop();
});

const rows: readonly { readonly name: string; readonly facts: unknown }[] = [
  { name: 'namespace', facts: { phase: 'Active', label: 'go-clients' } },
  {
    name: 'typed clients over protobuf',
    facts: {
      strategy: 'RollingUpdate',
      scale: 3,
      status: 3,
      bytes: 'AAH/',
      text: 'hello',
      quality: 'Burstable',
      cpu: '100m',
      'not found': true,
    },
  },
  { name: 'typed informers', facts: ['added', 'updated', 'deleted'] },
  { name: 'dynamic and metadata informers', facts: { data: 'v', label: 'b' } },
  { name: 'leader election', facts: { led: ['first', 'second'], transitions: 1 } },
  { name: 'conflicts', facts: { conflict: true, attempts: 2, exists: true } },
  { name: 'server-side apply', facts: { conflict: true, managers: 1, own: { a: '2' } } },
  { name: 'event recorders', facts: { Old: 'said three times', Modern: 'said once', count: 3, viewed: true } },
  {
    name: 'reviews',
    facts: { user: 'system:serviceaccount:go-clients:default', authenticated: true, allowed: false },
  },
  { name: 'definitions over protobuf', facts: { 'list kind': 'GizmoList' } },
  { name: 'a manager with a cache of custom resources', facts: { size: '7', owner: 'Gizmo' } },
];

describe('Go clients', () => {
  it.each(rows)('$name', ({ name, facts }) => {
    const found = outcomes.find((outcome) => outcome.name === name) ?? { name, log: log.slice(-4000) };
    expect(found).toEqual({ name, facts });
  });

  it('reflectors log no errors', () => {
    const complaints = log.split('\n').filter((line) => /reflector.*(failed|error|very short watch)/i.test(line));
    expect(complaints).toEqual([]);
  });
});
