// Writes the Helm chart as a tarball. The same sources result in the same bytes.
//   tsx scripts/release/chart/write-chart.ts <file.tgz>
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { appendText, endArchive } from '../../../packages/cli/src/archive/tar.js';
import { chartFiles } from './chart-files.js';

/** Time of all files in the tarball: 1980-01-01, the earliest that all archive programs accept. */
const fileTime = Date.UTC(1980, 0, 1);

async function writeChart(target: string): Promise<void> {
  const partial = `${target}.tar`;
  await mkdir(dirname(target), { recursive: true });
  const archive = await open(partial, 'w');
  try {
    // Helm reads Chart.yaml first.
    const files = [...(await chartFiles())].toSorted(([left], [right]) => rank(left) - rank(right));
    for (const [path, text] of files) await appendText(archive, `slipway/${path}`, text, fileTime);
    await endArchive(archive);
  } finally {
    await archive.close();
  }
  await writeFile(target, gzipSync(await readFile(partial), { level: 9 }));
  await rm(partial);
}

function rank(path: string): number {
  return path === 'Chart.yaml' ? 0 : 1;
}

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error('usage: write-chart.ts <file.tgz>');
await writeChart(target);
