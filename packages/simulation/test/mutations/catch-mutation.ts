import { spawn } from 'node:child_process';
import { bundleBroken } from './bundle.js';
import type { Mutation } from './mutations.js';

export interface Catch {
  readonly caught: boolean;
  /** Output of the simulation: the seed and the violated invariant. */
  readonly summary: string;
}

/** Builds the mutated sources and runs the simulation on them. */
export async function catchMutation(mutation: Mutation): Promise<Catch> {
  const bundle = await bundleBroken(mutation);
  const { code, output } = await run([bundle, ...mutation.detectedBy.split(' ')]);
  const summary = output.split('\n').find((line) => line.includes('FAILED')) ?? output.slice(-2_000);
  return { caught: code === 1 && summary.includes('FAILED'), summary };
}

function run(args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
    child.stderr.on('data', (piece: Buffer) => (output += piece.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
