import {
  type BootFile,
  BootstrapDataError,
  type BootUser,
  type DiskSetup,
  type KubeadmConfigSpecView,
  type MachineSetup,
} from '../types.js';
import { readContainerLinuxConfig } from './container-linux-config.js';
import { appendIgnition, dataUrl, emptyIgnition, type IgnitionConfig, ignitionText, lists } from './ignition-config.js';

/** Returns the Ignition configuration of a machine, merged with the Container Linux Config of the user. */
export function renderIgnition(
  setup: MachineSetup,
  options: KubeadmConfigSpecView['ignition'],
): { readonly value: string; readonly warnings: readonly string[] } {
  const own: IgnitionConfig = {
    ignition: emptyIgnition(),
    networkd: {},
    passwd: lists({ users: [setup.users.map(oneUser)] }),
    storage: lists({
      disks: [setup.diskSetup?.partitions?.map(oneDisk)],
      files: [filesOf(setup)],
      filesystems: [setup.diskSetup?.filesystems?.map(oneFilesystem)],
    }),
    systemd: { units: unitsOf(setup) },
  };
  const { additionalConfig, strict = false } = options?.containerLinuxConfig ?? {};
  if (additionalConfig === undefined) return { value: ignitionText(own), warnings: [] };
  const additional = readContainerLinuxConfig(additionalConfig, { strict });
  return { value: ignitionText(appendIgnition(own, additional.config)), warnings: additional.warnings };
}

function oneUser(user: BootUser): object {
  return {
    ...given('gecos', user.gecos),
    ...given('groups', user.groups?.split(', ')),
    ...given('homeDir', user.homeDir),
    name: user.name,
    ...given('passwordHash', user.passwd),
    ...given('primaryGroup', user.primaryGroup),
    ...(user.sshAuthorizedKeys === undefined || user.sshAuthorizedKeys.length === 0
      ? {}
      : { sshAuthorizedKeys: user.sshAuthorizedKeys }),
    ...given('shell', user.shell),
  };
}

function given(name: string, value: unknown): Record<string, unknown> {
  return value === undefined || value === '' ? {} : { [name]: value };
}

type Partition = NonNullable<DiskSetup['partitions']>[number];
type Filesystem = NonNullable<DiskSetup['filesystems']>[number];

function oneDisk(partition: Partition): object {
  if (partition.diskLayout !== undefined && partition.diskLayout.length > 0)
    throw unsupported(`diskSetup.partitions: diskLayout of ${partition.device}`);
  return {
    device: partition.device,
    ...(partition.layout === undefined ? {} : { partitions: [{}] }),
    ...(partition.overwrite === true ? { wipeTable: true } : {}),
  };
}

function oneFilesystem(filesystem: Filesystem): object {
  const { label, extraOpts = [] } = filesystem;
  return {
    mount: {
      device: filesystem.device,
      format: filesystem.filesystem,
      ...given('label', label),
      ...(extraOpts.length === 0 ? {} : { options: extraOpts }),
      ...(filesystem.overwrite === true ? { wipeFilesystem: true } : {}),
    },
    ...given('name', label),
  };
}

function filesOf(setup: MachineSetup): object[] {
  const sudoers = setup.users.flatMap((user) =>
    user.sudo === undefined || user.sudo === ''
      ? []
      : [{ path: `/etc/sudoers.d/${user.name}`, permissions: '0600', content: `${user.name} ${user.sudo}` }],
  );
  const withPassword = setup.users.filter((user) => user.lockPassword === false).map((user) => user.name);
  const files: BootFile[] = [
    ...sudoers,
    ...(withPassword.length === 0 ? [] : [sshdConfig(withPassword)]),
    ...setup.files,
    { path: '/etc/kubeadm.sh', permissions: '0700', content: kubeadmScript(setup) },
    { path: '/etc/kubeadm.yml', permissions: '0600', content: `---\n${setup.documents.join('\n---\n')}` },
    ...ntpFiles(setup),
  ];
  return files.map(oneFile);
}

function oneFile(file: BootFile): object {
  const [user = '', group = ''] = (file.owner ?? '').split(':').map((name) => name.trim());
  return {
    filesystem: 'root',
    ...(group === '' ? {} : { group: { name: group } }),
    path: file.path,
    ...(user === '' ? {} : { user: { name: user } }),
    ...(file.append === true ? { append: true } : {}),
    contents: { source: dataUrl(contentOf(file)), verification: {} },
    mode: modeOf(file),
  };
}

const modeDefault = 0o644;

function modeOf(file: BootFile): number {
  const { permissions = '' } = file;
  if (permissions === '') return modeDefault;
  if (!/^(?:0o?)?[0-7]{1,4}$/.test(permissions))
    throw new BootstrapDataError(
      'InvalidEncoding',
      `permissions of file ${file.path} must be an octal number such as 0640`,
    );
  return Number.parseInt(permissions.replace('o', ''), 8);
}

function contentOf(file: BootFile): string | Uint8Array {
  const { content, encoding = '' } = file;
  if (encoding === 'base64') {
    const text = typeof content === 'string' ? content : Buffer.from(content).toString('latin1');
    if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text))
      throw new BootstrapDataError('InvalidEncoding', `content of file ${file.path} is not base64`);
    return Buffer.from(text, 'base64');
  }
  if (encoding !== '') throw unsupported(`encoding ${encoding} of file ${file.path}`);
  return typeof content === 'string' ? withOneNewline(content) : content;
}

/** Returns text that ends in exactly one newline, like a block scalar in a Container Linux Config. */
function withOneNewline(text: string): string {
  const end = text.replace(/\n+$/, '');
  return end === '' ? '' : `${end}\n`;
}

function kubeadmScript(setup: MachineSetup): string {
  const verb = setup.role === 'init' ? 'init' : 'join';
  const verbosity = setup.verbosity === undefined ? '' : `--v ${setup.verbosity}`;
  return [
    '#!/bin/bash',
    'set -e',
    '',
    ...setup.preKubeadmCommands,
    '',
    `kubeadm ${verb} --config /etc/kubeadm.yml ${verbosity}`,
    'mkdir -p /run/cluster-api && echo success > /run/cluster-api/bootstrap-success.complete',
    'mv /etc/kubeadm.yml /tmp/',
    '',
    ...setup.postKubeadmCommands,
  ].join('\n');
}

function sshdConfig(users: readonly string[]): BootFile {
  const content = [
    'Subsystem sftp internal-sftp',
    'ClientAliveInterval 180',
    'UseDNS no',
    'UsePAM yes',
    'PrintLastLog no',
    'PrintMotd no',
    '',
    `Match User ${users.join(',')}`,
    '  PasswordAuthentication yes',
  ].join('\n');
  return { path: '/etc/ssh/sshd_config', permissions: '0600', content };
}

function ntpFiles(setup: MachineSetup): BootFile[] {
  const servers = setup.ntp?.servers ?? [];
  if (setup.ntp?.enabled !== true || servers.length === 0) return [];
  const content = [
    ...servers.map((server) => `server ${server}`),
    '',
    'restrict default nomodify nopeer noquery notrap limited kod',
    'restrict 127.0.0.1',
    'restrict [::1]',
  ].join('\n');
  return [{ path: '/etc/ntp.conf', permissions: '0644', content }];
}

// The unit runs once: the script removes the file that its condition requires.
const kubeadmUnit = `[Unit]
Description=kubeadm
ConditionPathExists=/etc/kubeadm.yml
After=network.target
[Service]
Type=oneshot
ExecStart=/bin/bash /etc/kubeadm.sh
[Install]
WantedBy=multi-user.target
`;

function unitsOf(setup: MachineSetup): object[] {
  return [
    { contents: kubeadmUnit, enabled: true, name: 'kubeadm.service' },
    ...(setup.ntp?.enabled === true ? [{ enabled: true, name: 'ntpd.service' }] : []),
    ...setup.mounts.map((mount) => mountUnit(mount, setup.diskSetup)),
  ];
}

function mountUnit(mount: readonly string[], diskSetup: DiskSetup | undefined): object {
  const [label = '', mountpoint, ...options] = mount;
  if (mountpoint === undefined) throw unsupported(`mount of ${label} without a mount point`);
  const filesystem = diskSetup?.filesystems?.findLast((candidate) => candidate.label === label);
  const contents = `[Unit]
Description = Mount ${label}

[Mount]
What=${filesystem?.device ?? label}
Where=${mountpoint}
Options=${options.join(',')}

[Install]
WantedBy=multi-user.target
`;
  return { contents, enabled: true, name: `${mountpoint.replaceAll('/', '-').replace(/^-/, '')}.mount` };
}

function unsupported(what: string): BootstrapDataError {
  return new BootstrapDataError('Unsupported', `format ignition does not support ${what}`);
}
