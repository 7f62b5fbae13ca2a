// Copies programs of the Debian packages that are installed on this host into the file system of an image, with the shared
// libraries that they need and the copyright files of their packages.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Directories that Debian links into /usr. Files are copied to /usr, and the first layer contains the links. */
const merged = /^\/(?:bin|sbin|lib|lib64)\//;
const inUsr = (path) => (merged.test(path) ? `/usr${path}` : path);

/** Copies a file to the same path of an image. Links become files. */
export function copyHostFile(root, path, target = inUsr(path)) {
  const destination = join(root, target);
  mkdirSync(dirname(destination), { recursive: true });
  copyFileSync(realpathSync(path), destination);
}

/** Returns the paths of the shared libraries of a program, the dynamic loader included. */
export function sharedLibraries(program) {
  const lines = execFileSync('ldd', [program], { encoding: 'utf8' }).split('\n');
  return lines.map((line) => /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1]).filter((path) => path !== undefined);
}

/** Returns the path of a program on this host, or undefined if it is not installed. */
export function findProgram(name) {
  return ['/usr/bin', '/usr/sbin', '/bin', '/sbin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** Returns the installed packages that contain the files, sorted by name. */
export function packagesOf(paths) {
  if (paths.length === 0) return [];
  const names = ownersOf(paths.flatMap(pathsInDatabase));
  const format = '-f=${Package}\\t${Version}\\t${Architecture}\\t${Homepage}\\n';
  const lines = execFileSync('dpkg-query', ['-W', format, ...names], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
  return lines.map((line) => {
    const [name, version, architecture, homepage] = line.split('\t');
    return { name, version, architecture, homepage };
  });
}

/** Returns the paths that dpkg can have recorded for a file: before or after Debian moved it to /usr, or the target of a link. */
function pathsInDatabase(path) {
  const real = realpathSync(path);
  return [path, real, real.replace(/^\/usr/, ''), inUsr(path)];
}

function ownersOf(paths) {
  const { stdout } = spawnSync('dpkg-query', ['-S', ...new Set(paths)], { encoding: 'utf8' });
  const owners = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('diversion'));
  return [...new Set(owners.map((line) => line.replace(/(?:,.*)?: \/.*$/, '')))];
}

/** Copies the copyright files of packages. */
export function copyCopyrights(root, packages) {
  for (const { name } of packages)
    for (const file of ['copyright', 'LICENSE']) {
      const path = `/usr/share/doc/${name}/${file}`;
      if (existsSync(path) && statSync(path).isFile()) copyHostFile(root, path);
    }
}

/** Copies programs with their libraries, and returns the paths of all copied files on this host. */
export function copyPrograms(root, programs) {
  const copied = new Set();
  for (const program of programs) {
    for (const path of [program, ...sharedLibraries(program)]) copied.add(path);
  }
  for (const path of copied) copyHostFile(root, path);
  return [...copied].sort((left, right) => (basename(left) < basename(right) ? -1 : 1));
}
