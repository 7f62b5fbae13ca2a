// Runs the commands of the README in a minimal Debian with only Node, npm and git, to detect missing installation
// steps. The commands run without root, and without a network after `npm ci`.
// npm run test:fresh               with the newest Node; SKIP_FRESH=yes omits it from `npm run test:real`
// npm run test:fresh -- --quick    the same, but of `npm test` only the parts that depend on the environment
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const suite = 'bookworm';
const user = { id: 1000, home: '/home/user' };
const project = `${user.home}/slipway`;
const startTimeoutMs = 300_000;
const stopTimeoutMs = 60_000;

/**
 * Commands that replace `npm test` in the quick form: the static checks, and the tests of the packages that read files, listen on
 * ports, start processes, generate keys or install the package.
 */
const quickCommands = [
  'npm run check',
  'npm run build && node scripts/run-tests.mjs --project unit --project server packages/base/ packages/pki/ packages/apiserver/ packages/cli/ scripts/',
];

/** Names of npm settings for the registry of this host. They do not include credentials, which `npm config list` does not print. */
const npmSettings =
  /^(registry|@.+:registry|cafile|ca|proxy|https-proxy|noproxy|strict-ssl|replace-registry-host|omit-lockfile-registry-resolved)$/;
const networkVariables = /^(https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_file)$/i;

const seconds = (since) => `${Math.round((Date.now() - since) / 1000)} s`;
const run = (command, args) => execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });

function checkHost() {
  if (process.platform !== 'linux' || process.getuid() !== 0)
    throw new Error('creating a root file system requires Linux and root');
  for (const program of ['mmdebstrap', 'unshare', 'chroot', 'git', 'ip'])
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
      throw new Error(`${program} is missing: run \`npm run peers\`, which installs missing programs on Debian`);
}

/** Creates the root file system. */
function makeRoot(root) {
  run('mmdebstrap', ['--quiet', '--variant=minbase', '--include=git', suite, root]);
  installNode(root);
  const home = join(root, user.home);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(root, 'etc/passwd'), `user:x:${user.id}:${user.id}::${user.home}:/bin/sh\n`, { flag: 'a' });
  for (const file of ['/etc/resolv.conf', '/etc/hosts']) copyInto(root, file);
  configureNpm(root);
  run('git', ['clone', '--quiet', '--no-hardlinks', checkout, join(root, project)]);
  run('chown', ['-R', `${user.id}:${user.id}`, home]);
}

/** Installs the Node and npm that run this script into /usr/local: Debian's own Node is too old. */
function installNode(root) {
  const local = join(root, 'usr/local');
  // npm passes its own path to the scripts that it runs: …/npm/bin/npm-cli.js.
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error('start this script by `npm run test:fresh`');
  cpSync(process.execPath, join(local, 'bin/node'));
  cpSync(join(dirname(npm), '..'), join(local, 'lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
}

/** Configures npm with this host's registry. */
function configureNpm(root) {
  const settings = JSON.parse(execFileSync('npm', ['config', 'list', '--json'], { encoding: 'utf8' }));
  const lines = Object.entries(settings)
    .filter(([name, value]) => npmSettings.test(name) && value !== null)
    .map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(root, user.home, '.npmrc'), lines.join(''));
  for (const file of [settings.cafile, process.env.NODE_EXTRA_CA_CERTS, process.env.SSL_CERT_FILE])
    copyInto(root, file);
}

function copyInto(root, file) {
  if (!file || !existsSync(file)) return;
  mkdirSync(dirname(join(root, file)), { recursive: true });
  cpSync(file, join(root, file), { dereference: true });
}

/** Functions that each send a signal to one process inside the root file system. */
const running = new Set();

/**
 * Starts a shell command inside the root file system as a non-root user. Its namespaces end with the command, including all of
 * its processes and mounts.
 */
function startInside(root, command, { network }) {
  const prepare = `
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    mount -t tmpfs tmpfs "$1/dev/shm"
    ${network ? '' : 'ip link set lo up'}
    exec chroot --userspec=${user.id}:${user.id} "$1" sh -c "$2"`;
  const inside = `export PATH=/usr/local/bin:/usr/bin:/bin; cd ${project} && ${command}`;
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', ...(network ? [] : ['--net'])];
  const inherited = Object.entries(process.env).filter(([name]) => networkVariables.test(name));
  const child = spawn('unshare', [...namespaces, 'sh', '-ec', prepare, 'sh', root, inside], {
    // `chroot` is found on the PATH of this host.
    env: {
      ...Object.fromEntries(inherited),
      PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
      HOME: user.home,
      LANG: 'C.UTF-8',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A separate process group, which can be signalled as a whole.
    detached: true,
  });
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  const signal = (name) => {
    try {
      process.kill(-child.pid, name);
    } catch {
      // The process has already exited.
    }
  };
  running.add(signal);
  void ended.finally(() => running.delete(signal)).catch(() => undefined);
  return { output: child.stdout, ended, signal };
}

async function runInside(root, command, options) {
  const started = Date.now();
  console.log(`\n$ ${command}`);
  const { output, ended } = startInside(root, command, options);
  output.pipe(process.stdout, { end: false });
  const code = await ended;
  if (code !== 0) throw new Error(`\`${command}\` failed in the minimal root (${code})`);
  console.log(`\`${command}\` passed in the minimal root in ${seconds(started)}`);
}

/** Runs the command until its first cluster is available, and then stops it. */
async function startAndStop(root, command) {
  const started = Date.now();
  console.log(`\n$ ${command}`);
  const { output, ended, signal } = startInside(root, command, { network: false });
  let text = '';
  const available = new Promise((resolve) => {
    output.setEncoding('utf8').on('data', (chunk) => {
      process.stdout.write(chunk);
      text += chunk;
      if (/Cluster \S+: \d+\/\d+ ready, Available/.test(text)) resolve(true);
    });
  });
  const timeout = new Promise((resolve) => setTimeout(resolve, startTimeoutMs, false).unref());
  const isAvailable = await Promise.race([available, timeout, ended.then(() => false)]);
  const took = seconds(started);
  signal('SIGTERM');
  const hasStopped = await Promise.race([
    ended.then(() => true),
    new Promise((resolve) => setTimeout(resolve, stopTimeoutMs, false).unref()),
  ]);
  if (!hasStopped) signal('SIGKILL');
  if (!isAvailable)
    throw new Error(`\`${command}\` did not make a cluster available within ${took} in the minimal root`);
  if (!hasStopped) throw new Error(`\`${command}\` did not stop within ${stopTimeoutMs / 1000} s of SIGTERM`);
  console.log(`\`${command}\` made a cluster available in the minimal root in ${took}`);
}

/** Returns the command lines of the README that start with an installation, keyed by their last command. */
function readmeCommands() {
  const readme = readFileSync(join(checkout, 'README.md'), 'utf8');
  const found = [...readme.matchAll(/^ {4}(npm ci) && (npm (start|test))\b/gm)];
  const commands = Object.fromEntries(found.map(([, install, command, name]) => [name, { install, command }]));
  if (!commands.start || !commands.test)
    throw new Error('README.md has no line with `npm ci && npm start` or `npm ci && npm test`');
  return commands;
}

async function main() {
  const commands = readmeCommands();
  if (process.env.SKIP_FRESH) {
    console.log('SKIP_FRESH is set: the commands of the README are not run in a minimal root file system');
    return;
  }
  checkHost();
  const folder = mkdtempSync(join(tmpdir(), 'slipway-fresh-'));
  const root = join(folder, 'root');
  process.once('exit', () => {
    // No process may keep running in, or write to, a root file system that is being removed.
    for (const signal of running) signal('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  const started = Date.now();
  makeRoot(root);
  console.log(`created a minimal root file system in ${seconds(started)}`);
  await runInside(root, commands.start.install, { network: true });
  await startAndStop(root, commands.start.command);
  const isQuick = process.argv.includes('--quick');
  if (!isQuick) await runInside(root, commands.test.install, { network: true });
  for (const command of isQuick ? quickCommands : [commands.test.command])
    await runInside(root, command, { network: false });
}

for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => process.exit(1));
try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
