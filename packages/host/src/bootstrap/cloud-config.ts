import { gunzipSync } from 'node:zlib';
import { parseYamlValue } from '@slipway/kube';
import { BootstrapDataError } from './bootstrap-data-error.js';
import { type Facts, fillTemplate } from './jinja.js';

/** A command as an argument list, or as a command line for the shell. */
export type BootCommand = string | readonly string[];

export interface SeedFile {
  readonly path: string;
  readonly content: Uint8Array;
  readonly owner: string;
  readonly permissions: string;
  readonly append: boolean;
  /** Whether the file is written late: after users exist, just before the commands. */
  readonly deferred: boolean;
}

export interface SeedUser {
  readonly name: string;
  readonly gecos?: string;
  readonly groups: readonly string[];
  readonly homeDirectory?: string;
  readonly primaryGroup?: string;
  readonly shell?: string;
  readonly passwordHash?: string;
  readonly sudo: readonly string[];
  readonly authorizedKeys: readonly string[];
}

/** The supported parts of a cloud-config. */
export interface CloudConfig {
  readonly bootCommands: readonly BootCommand[];
  readonly files: readonly SeedFile[];
  readonly users: readonly SeedUser[];
  readonly commands: readonly BootCommand[];
}

type Section = Readonly<Record<string, unknown>>;

/** Sections that need disks, which a HostMachine does not have. They are rejected, because ignoring them would report success. */
const refusedSections = ['disk_setup', 'fs_setup', 'mounts', 'swap'];

export function readCloudConfig(data: string, facts: Facts): CloudConfig {
  const filled = fillTemplate(data, facts);
  if (filled.startsWith('#!')) return { bootCommands: [], files: [], users: [], commands: [filled] };
  if (!filled.startsWith('#cloud-config'))
    throw new BootstrapDataError(
      'the bootstrap data is not a cloud-config: set format: cloud-config in the bootstrap configuration',
    );
  const sections = parseSections(filled);
  const refused = refusedSections.filter((name) => isFilled(sections[name]));
  if (refused.length > 0)
    throw new BootstrapDataError(
      `the bootstrap data has ${refused.join(', ')}, but a HostMachine does not have its own disks: remove diskSetup and mounts`,
    );
  return {
    bootCommands: listOf(sections, 'bootcmd').map(commandOf),
    files: listOf(sections, 'write_files').map(fileOf),
    users: listOf(sections, 'users').flatMap(userOf),
    commands: listOf(sections, 'runcmd').map(commandOf),
  };
}

function parseSections(text: string): Section {
  let value: unknown;
  try {
    value = parseYamlValue(text);
  } catch (error) {
    throw new BootstrapDataError(`the cloud-config is not valid YAML: ${placeOf(error)}`);
  }
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw new BootstrapDataError('the cloud-config is not a mapping');
  return value as Section;
}

/** Returns the position of a syntax error, without quoting the text. */
function placeOf(error: unknown): string {
  return /line \d+(, column \d+)?/.exec(error instanceof Error ? error.message : '')?.[0] ?? 'it cannot be read';
}

function isFilled(section: unknown): boolean {
  return typeof section === 'object' && section !== null && Object.keys(section).length > 0;
}

function listOf(sections: Section, name: string): readonly unknown[] {
  const value = sections[name] ?? [];
  if (!Array.isArray(value)) throw new BootstrapDataError(`${name} of the cloud-config is not a list`);
  return value as unknown[];
}

function commandOf(item: unknown): BootCommand {
  if (typeof item === 'string') return item;
  if (Array.isArray(item)) return item.map(String);
  throw new BootstrapDataError('a command of the cloud-config is neither a string nor a list');
}

function fileOf(item: unknown): SeedFile {
  const file = (item ?? {}) as Section;
  const { path } = file;
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw new BootstrapDataError('write_files of the cloud-config has a file without an absolute path');
  const mode = textAt(file, 'permissions') ?? '0644';
  if (!/^[0-7]{3,4}$/.test(mode)) throw new BootstrapDataError(`the permissions of ${path} are not an octal number`);
  if (isFilled(file['source']))
    throw new BootstrapDataError(`${path} has a source URL, which is not supported: set its content`);
  return {
    path,
    content: decode(path, textAt(file, 'content') ?? '', textAt(file, 'encoding') ?? ''),
    owner: textAt(file, 'owner') ?? 'root:root',
    permissions: mode,
    append: file['append'] === true,
    deferred: file['defer'] === true,
  };
}

/** Decodes content, outermost encoding first. Supports all encoding names of cloud-init. */
function decode(path: string, content: string, encoding: string): Uint8Array {
  let bytes: Buffer = Buffer.from(content);
  const steps = encoding.toLowerCase().split('+').reverse();
  for (const step of steps) {
    if (step === 'b64' || step === 'base64') bytes = Buffer.from(bytes.toString('latin1'), 'base64');
    else if (step === 'gz' || step === 'gzip') bytes = unzip(path, bytes);
    else if (step !== '' && step !== 'text/plain')
      throw new BootstrapDataError(`the encoding of ${path} is not supported: use gzip, base64 or gzip+base64`);
  }
  return bytes;
}

const contentBytesMax = 16 * 1_048_576;

function unzip(path: string, bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: contentBytesMax });
  } catch {
    throw new BootstrapDataError(`the content of ${path} does not match its compression encoding`);
  }
}

function userOf(item: unknown): SeedUser[] {
  // Skip the default user of the distribution, which does not exist here.
  if (item === 'default') return [];
  const user = (typeof item === 'string' ? { name: item } : (item ?? {})) as Section;
  const name = textAt(user, 'name') ?? '';
  if (!/^[a-z_][a-z0-9_-]{0,31}$/i.test(name))
    throw new BootstrapDataError('a user of the cloud-config has no valid name');
  const sudo = user['sudo'];
  return [
    {
      name,
      ...optionalText(user, 'gecos', 'gecos'),
      groups: wordsOf(user['groups']),
      ...optionalText(user, 'homedir', 'homeDirectory'),
      ...optionalText(user, 'primary_group', 'primaryGroup'),
      ...optionalText(user, 'shell', 'shell'),
      ...(user['lock_passwd'] === false ? optionalText(user, 'passwd', 'passwordHash') : {}),
      sudo: typeof sudo === 'string' ? [sudo] : Array.isArray(sudo) ? sudo.map(String) : [],
      authorizedKeys: Array.isArray(user['ssh_authorized_keys']) ? user['ssh_authorized_keys'].map(String) : [],
    },
  ];
}

function wordsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? value.split(',').map((word) => word.trim()) : [];
}

function textAt(section: Section, name: string): string | undefined {
  const value = section[name];
  return value === undefined || value === null ? undefined : String(value as string | number | boolean);
}

function optionalText<Name extends string>(section: Section, from: string, to: Name): Partial<Record<Name, string>> {
  const value = textAt(section, from);
  return value === undefined ? {} : ({ [to]: value } as Record<Name, string>);
}
