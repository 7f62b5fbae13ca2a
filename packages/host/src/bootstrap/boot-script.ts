import type { BootCommand, CloudConfig, SeedFile, SeedUser } from './cloud-config.js';

/** The directory of the files that a machine reads on its first start. */
export const seedFolder = '/opt/slipway/seed';

/** Files by their name in the seed directory. The machine runs `bootstrap.sh`. */
export type Seed = ReadonlyMap<string, Uint8Array>;

/** Converts the bootstrap data to a script with its steps in the order of cloud-init. */
export function seedOf(config: CloudConfig): Seed {
  const seed = new Map<string, Uint8Array>();
  const early = config.files.filter(({ deferred }) => !deferred);
  const late = config.files.filter(({ deferred }) => deferred);
  const steps = [
    ...runStep(seed, 'bootcmd', config.bootCommands),
    ...early.flatMap((file, index) => fileStep(seed, `file-${index}`, file)),
    ...config.users.flatMap(userStep),
    ...late.flatMap((file, index) => fileStep(seed, `late-file-${index}`, file)),
    ...runStep(seed, 'runcmd', config.commands),
  ];
  seed.set('bootstrap.sh', Buffer.from(['#!/bin/sh', `cd /`, ...steps, ''].join('\n')));
  return seed;
}

function runStep(seed: Map<string, Uint8Array>, name: string, commands: readonly BootCommand[]): string[] {
  if (commands.length === 0) return [];
  const [first] = commands;
  const isScript = commands.length === 1 && typeof first === 'string' && first.startsWith('#!');
  seed.set(name, Buffer.from(isScript ? first : `#!/bin/sh\n${commands.map(commandLine).join('\n')}\n`));
  return [`chmod 700 ${seedFolder}/${name}`, `${seedFolder}/${name}`];
}

/** Returns the shell command. A string is passed to the shell unchanged. Each item of a list is one argument. */
function commandLine(command: BootCommand): string {
  return typeof command === 'string' ? command : command.map(quote).join(' ');
}

function fileStep(seed: Map<string, Uint8Array>, name: string, file: SeedFile): string[] {
  seed.set(name, file.content);
  const path = quote(file.path);
  return [
    `mkdir -p "$(dirname ${path})"`,
    `cat ${seedFolder}/${name} ${file.append ? '>>' : '>'} ${path}`,
    `chmod ${file.permissions} ${path}`,
    `chown ${quote(file.owner)} ${path}`,
  ];
}

function userStep(user: SeedUser): string[] {
  const { name, homeDirectory = `/home/${name}` } = user;
  const options = [
    ['--comment', user.gecos],
    ['--shell', user.shell ?? '/bin/sh'],
    ['--gid', user.primaryGroup],
    ['--groups', user.groups.length === 0 ? undefined : user.groups.join(',')],
    ['--home-dir', homeDirectory],
  ].flatMap(([flag = '', value]) => (value === undefined ? [] : [flag, quote(value)]));
  const steps = [`id ${name} > /dev/null 2>&1 || useradd --create-home ${options.join(' ')} ${name}`];
  // Pass the password by standard input: all users can read the arguments of a process.
  if (user.passwordHash !== undefined)
    steps.push(`chpasswd --encrypted <<'PASSWORD'\n${name}:${user.passwordHash}\nPASSWORD`);
  const folder = quote(`${homeDirectory}/.ssh`);
  if (user.authorizedKeys.length > 0)
    steps.push(
      `mkdir -p ${folder}`,
      ...user.authorizedKeys.map((key) => `printf '%s\\n' ${quote(key)} >> ${folder}/authorized_keys`),
      `chmod 700 ${folder}; chmod 600 ${folder}/authorized_keys; chown -R ${name}: ${folder}`,
    );
  if (user.sudo.length > 0)
    steps.push(
      'mkdir -p /etc/sudoers.d',
      ...user.sudo.map((rule) => `printf '%s\\n' ${quote(`${name} ${rule}`)} >> /etc/sudoers.d/90-bootstrap`),
    );
  return steps;
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
