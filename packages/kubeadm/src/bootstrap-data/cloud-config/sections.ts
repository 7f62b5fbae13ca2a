import { quoteGo } from '@slipway/kube';
import type { BootFile, BootUser, DiskSetup, Ntp } from '../types.js';
import { block, scalar, singleQuote, typedScalar } from './yaml-text.js';

/** The lines of a section. Empty for a section without content: the schema of cloud-init does not allow null sections. */
export type Lines = readonly string[];

type Partition = NonNullable<DiskSetup['partitions']>[number];
type Filesystem = NonNullable<DiskSetup['filesystems']>[number];

export function fileLines(file: BootFile): Lines {
  const { encoding, content } = textContent(file);
  return [
    `-   path: ${scalar(file.path)}`,
    ...(encoding === undefined ? [] : [`    encoding: ${quoteGo(encoding)}`]),
    ...(isAbsent(file.owner) ? [] : [`    owner: ${scalar(file.owner)}`]),
    ...(isAbsent(file.permissions) ? [] : [`    permissions: ${singleQuote(file.permissions)}`]),
    ...(file.append === undefined ? [] : [`    append: ${file.append}`]),
    `    content: ${block(content, 4)}`,
  ];
}

/** Returns the content as text. Binary content is base64-encoded, in addition to any other encoding. */
function textContent(file: BootFile): { readonly encoding: string | undefined; readonly content: string } {
  if (typeof file.content === 'string')
    return { encoding: isAbsent(file.encoding) ? undefined : file.encoding, content: file.content };
  const base64 = Buffer.from(file.content).toString('base64');
  return { encoding: file.encoding === 'gzip' ? 'gzip+base64' : 'base64', content: base64 };
}

function isAbsent(text: string | undefined): text is undefined | '' {
  return text === undefined || text === '';
}

export function bootCommandLines(commands: readonly string[]): Lines {
  return commands.length === 0 ? [] : ['bootcmd:', ...commandLines(commands)];
}

export function commandLines(commands: readonly string[]): Lines {
  return commands.map((command) => `  - ${quoteGo(command)}`);
}

export function ntpLines(ntp: Ntp | undefined): Lines {
  const enabled = ntp?.enabled === undefined ? [] : [`  enabled: ${ntp.enabled}`];
  const servers = ntp?.servers ?? [];
  const lines = [...enabled, ...(servers.length === 0 ? [] : ['  servers:', ...items(servers, 4)])];
  return lines.length === 0 ? [] : ['ntp:', ...lines];
}

export function userLines(users: readonly BootUser[]): Lines {
  return users.length === 0 ? [] : ['users:', ...users.flatMap(oneUser)];
}

function oneUser(user: BootUser): Lines {
  return [
    `  - name: ${scalar(user.name)}`,
    ...member(4, 'passwd', user.passwd),
    ...member(4, 'gecos', user.gecos),
    ...member(4, 'groups', user.groups),
    ...member(4, 'homedir', user.homeDir),
    ...member(4, 'inactive', user.inactive),
    ...member(4, 'lock_passwd', user.lockPassword),
    ...member(4, 'shell', user.shell),
    ...member(4, 'primary_group', user.primaryGroup),
    // `False` denies sudo to a user, and cloud-init requires it as a boolean.
    ...(isAbsent(user.sudo) ? [] : [`    sudo: ${typedScalar(user.sudo)}`]),
    ...memberList(4, 'ssh_authorized_keys', user.sshAuthorizedKeys),
  ];
}

export function diskLines(setup: DiskSetup | undefined): Lines {
  const partitions = setup?.partitions ?? [];
  const filesystems = setup?.filesystems ?? [];
  return [
    ...(partitions.length === 0 ? [] : ['disk_setup:', ...partitions.flatMap(onePartition)]),
    ...(filesystems.length === 0 ? [] : ['fs_setup:', ...filesystems.flatMap(oneFilesystem)]),
  ];
}

const partitionCodes: Partial<Record<string, string>> = {
  Linux: '83',
  LinuxSwap: '82',
  LinuxRAID: 'fd',
  LVM: '8e',
  Fat32: '0c',
  NTFS: '07',
  LinuxExtended: '85',
};

function onePartition(partition: Partition): Lines {
  return [
    `  ${scalar(partition.device)}:`,
    ...member(4, 'table_type', partition.tableType),
    ...(partition.diskLayout === undefined || partition.diskLayout.length === 0
      ? member(4, 'layout', partition.layout)
      : ['    layout:', ...partition.diskLayout.map((part) => `      - ${layoutEntry(part)}`)]),
    ...member(4, 'overwrite', partition.overwrite),
  ];
}

function layoutEntry(part: NonNullable<Partition['diskLayout']>[number]): string {
  const type = part.partitionType;
  if (isAbsent(type)) return `${part.percentage}`;
  const code = Object.hasOwn(partitionCodes, type) ? (partitionCodes[type] ?? type) : type;
  // Quote the code: inside brackets, a comma or a bracket would end the value.
  return `[${part.percentage}, ${/^[\w-]+$/.test(code) ? code : quoteGo(code)}]`;
}

function oneFilesystem(filesystem: Filesystem): Lines {
  const [first = '', ...others] = [
    ...member(4, 'label', filesystem.label),
    ...member(4, 'filesystem', filesystem.filesystem),
    ...member(4, 'device', filesystem.device),
    ...(isAbsent(filesystem.partition) ? [] : [`    partition: ${typedScalar(filesystem.partition)}`]),
    ...member(4, 'overwrite', filesystem.overwrite),
    ...member(4, 'replace_fs', filesystem.replaceFS),
    ...memberList(4, 'extra_opts', filesystem.extraOpts),
  ];
  return [`  - ${first.trimStart()}`, ...others];
}

/** Returns the lines of mounts. Each is followed by a line of spaces, as upstream: golden files of users contain it. */
export function mountLines(mounts: readonly (readonly string[])[]): Lines {
  return mounts.length === 0 ? [] : ['mounts:', ...mounts.flatMap(oneMount)];
}

function oneMount(mount: readonly string[]): Lines {
  if (mount.length === 0) return [];
  return [...mount.map((field, index) => `${index === 0 ? '  - - ' : '    - '}${scalar(field)}`), '    '];
}

function member(columns: number, name: string, value: string | boolean | undefined): Lines {
  if (value === undefined || value === '') return [];
  return [`${' '.repeat(columns)}${name}: ${typeof value === 'string' ? scalar(value) : value}`];
}

function memberList(columns: number, name: string, values: readonly string[] | undefined): Lines {
  if (values === undefined || values.length === 0) return [];
  return [`${' '.repeat(columns)}${name}:`, ...items(values, columns + 2)];
}

function items(values: readonly string[], columns: number): Lines {
  return values.map((value) => `${' '.repeat(columns)}- ${scalar(value)}`);
}
