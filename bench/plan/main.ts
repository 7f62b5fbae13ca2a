// Measures `slipway plan` for one Cluster of a fleet: npm run bench:plan -- --clusters 1000
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { manifestOf, original } from './fleet-state.js';

const { values: flags } = parseArgs({
  options: { clusters: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '3' } },
});
const wallSecondsMax = 3;
const cpuSecondsMax = 2;
const changes = 9;
const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const bundle = file('../../packages/cli/dist/slipway.mjs');

const folder = mkdtempSync(join(tmpdir(), 'bench-plan-'));
const kubeconfig = join(folder, 'kubeconfig');
const manifest = join(folder, 'manifest.json');
writeFileSync(manifest, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifestOf(original, 3) }));
const server = spawn(process.execPath, ['--import', 'tsx', file('server.ts'), flags.clusters, kubeconfig], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  await once(createInterface({ input: server.stdout }), 'line');
  for (let round = 1; round <= Number(flags.rounds); round += 1) {
    // The shell reports the CPU time of the child process, with all its threads.
    const command = `time -p '${process.execPath}' '${bundle}' plan -f '${manifest}' --kubeconfig '${kubeconfig}'`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
    if (status !== changes) throw new Error(`plan ended with ${status}: ${stdout}${stderr}`);
    const [real = 0, user = 0, system = 0] = ['real', 'user', 'sys'].map((name) =>
      Number(new RegExp(`^${name} ([0-9.]+)$`, 'm').exec(stderr)?.[1]),
    );
    const isWithin = real <= wallSecondsMax && user + system <= cpuSecondsMax;
    const text = `${real.toFixed(2)} s, ${(user + system).toFixed(2)} CPU-s${isWithin ? '' : ' (over the limit)'}`;
    process.stdout.write(`plan of 1 Cluster beside ${flags.clusters}: ${text}\n`);
  }
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
