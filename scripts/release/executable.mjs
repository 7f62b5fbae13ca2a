// Builds the single executable: the running Node.js with the files of the npm package inside, as a single executable
// application of Node.js.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'postject';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = fileURLToPath(new URL('./executable/', import.meta.url));
/** Marker in the Node.js binary that enables an embedded application. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Writes `slipway-<version>-<platform>` for the platform of the running Node.js and returns its path. */
export async function buildExecutable(target, { version, npmPackage }) {
  const platform = `${process.platform}-${process.arch}`;
  const work = join(root, 'dist/executable');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  writeAssets(work, version, filesOf(npmPackage, platform));
  const config = {
    main: 'main.cjs',
    output: 'application.blob',
    disableExperimentalSEAWarning: true,
    assets: { index: 'index', files: 'files' },
  };
  copyFileSync(join(sources, config.main), join(work, config.main));
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config));
  // Paths are relative, because the blob contains the path of its first module.
  execFileSync(process.execPath, ['--experimental-sea-config', 'sea.json'], { cwd: work, stdio: 'ignore' });
  const executable = join(target, `slipway-${version}-${platform}`);
  copyFileSync(process.execPath, executable);
  chmodSync(executable, 0o755);
  await withoutOutput(() =>
    inject(executable, 'NODE_SEA_BLOB', readFileSync(join(work, config.output)), { sentinelFuse: fuse }),
  );
  return executable;
}

/** Returns the files to embed, by their path in the cache directory. Storage modules of other platforms are omitted. */
function filesOf(npmPackage, platform) {
  const isForeign = (path) => path.startsWith('dist/native/') && path !== `dist/native/${platform}.node`;
  const paths = readdirSync(npmPackage, { recursive: true })
    .filter((path) => !isForeign(path) && statSync(join(npmPackage, path)).isFile())
    .sort();
  return [
    ...paths.map((path) => ({ path, content: readFileSync(join(npmPackage, path)), mode: 0o600 })),
    { path: 'start.cjs', content: readFileSync(join(sources, 'start.cjs')), mode: 0o600 },
  ];
}

/** Writes the content of all files as one asset, and their names and sizes as another. */
function writeAssets(work, version, files) {
  const hash = createHash('sha256');
  for (const { path, content } of files) hash.update(`${path}\0${content.length}\0`).update(content);
  const index = {
    name: `${version}-${hash.digest('hex').slice(0, 16)}`,
    files: files.map(({ path, content, mode }) => ({ path, size: content.length, mode })),
  };
  writeFileSync(join(work, 'index'), JSON.stringify(index));
  writeFileSync(join(work, 'files'), Buffer.concat(files.map(({ content }) => content)));
}

/** The library that rewrites the binary prints warnings about sections of Node.js that it does not know. */
async function withoutOutput(action) {
  const { warn, log } = console;
  console.warn = () => undefined;
  console.log = () => undefined;
  try {
    await action();
  } finally {
    Object.assign(console, { warn, log });
  }
}
