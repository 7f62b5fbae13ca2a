import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServerPair, startServerPair } from '../support/server-under-test.js';
import { type AllowedDifference, allowedDifferences } from './allowed-differences.js';
import { scripts } from './requests/index.js';
import { flatten, type Outcome, runScript } from './run-script.js';
import { type Difference, differences, Pairing } from './values.js';

// Sends the same requests to kube-apiserver and to Slipway and compares the responses, except for allowed-differences.ts.
let pair: ServerPair;
const used = new Set<AllowedDifference>();

beforeAll(async () => {
  pair = await startServerPair();
});
afterAll(async () => {
  await pair?.stop();
});

function isAllowed(step: string, difference: Difference): boolean {
  const allowed = allowedDifferences.filter(
    (one) => (one.step === undefined || one.step.test(step)) && one.path.test(difference.path),
  );
  for (const one of allowed) used.add(one);
  return allowed.length === 0;
}

describe.each(scripts)('$name', (script) => {
  const names = flatten(script);
  const pairing = new Pairing();
  let theirs: readonly Outcome[] = [];
  let ours: readonly Outcome[] = [];

  beforeAll(async () => {
    [theirs, ours] = await Promise.all([runScript(script, pair.theirs), runScript(script, pair.ours)]);
  });

  it.each(names.map((name, index) => ({ name, index })))('$name', ({ name, index }) => {
    const found = differences(theirs[index], ours[index], pairing);
    expect(found.filter((difference) => isAllowed(`${script.name}: ${name}`, difference))).toEqual([]);
  });
});

it('still needs every allowed difference', () => {
  expect(allowedDifferences.filter((one) => !used.has(one)).map(({ reason }) => reason)).toEqual([]);
});
