// First module of the single executable. It unpacks the files of the npm package, which the executable contains, into a cache
// directory of the user once per version, and runs the command from there: native modules, worker threads and data files need
// paths. Only Node's built-in modules can be loaded here.
const { lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { homedir, tmpdir } = require('node:os');
const { basename, dirname, isAbsolute, join } = require('node:path');
const { getAsset, getRawAsset } = require('node:sea');

const user = process.getuid();
const { name, files } = JSON.parse(getAsset('index', 'utf8'));

/** Directories to unpack into, in order of preference. */
function* candidates() {
  const { XDG_CACHE_HOME: cache = '' } = process.env;
  yield join(isAbsolute(cache) ? cache : join(homedir(), '.cache'), 'slipway');
  yield join(tmpdir(), `slipway-${user}`);
}

/** Creates a directory and requires that no other user can change it: the program's code is loaded from there. */
function ensurePrivate(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  if (uid !== user || (mode & 0o40022) !== 0o40000)
    throw new Error(`${folder} can be changed by other users; remove it or run \`chmod go-w\` on it`);
}

/** Returns whether all files are present with their size. Cleaners of temporary directories and power failures remove content. */
function isComplete(folder) {
  return files.every(({ path, size }) => lstatSync(join(folder, path), { throwIfNoEntry: false })?.size === size);
}

/** Unpacks into a new directory and renames it, so that processes that start at the same time see all files or none. */
function unpack(parent, folder) {
  const work = mkdtempSync(join(parent, '.unpack-'));
  try {
    const content = getRawAsset('files');
    let offset = 0;
    for (const { path, size, mode } of files) {
      const target = join(work, path);
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      writeFileSync(target, new Uint8Array(content, offset, size), { mode });
      offset += size;
    }
    replace(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function replace(work, folder) {
  try {
    renameSync(work, folder);
  } catch (error) {
    // Another process has unpacked it meanwhile.
    if (isComplete(folder)) return;
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    renameSync(folder, `${work}.old`);
    renameSync(work, folder);
    rmSync(`${work}.old`, { recursive: true, force: true });
  }
}

function ensureFiles() {
  const problems = [];
  for (const parent of candidates()) {
    try {
      ensurePrivate(parent);
      const folder = join(parent, name);
      if (!isComplete(folder)) unpack(parent, folder);
      return folder;
    } catch (error) {
      problems.push(error.message);
    }
  }
  process.stderr.write(
    `Error: cannot unpack the files of this executable: ${problems.join('; ')}\n` +
      'Set XDG_CACHE_HOME to a writable directory that only you can change.\n',
  );
  process.exit(1);
}

const folder = ensureFiles();
// A link with this name runs the command of the same name, as in the npm package.
const command = basename(process.argv0) === 'vdoctl' ? 'vdoctl' : 'slipway';
createRequire(join(folder, 'start.cjs'))('./start.cjs')(command);
