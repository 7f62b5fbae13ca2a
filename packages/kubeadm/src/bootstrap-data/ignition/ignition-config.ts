/** The supported part of Ignition 2.3. Fields are in the order in which they are written. */
export interface IgnitionConfig {
  readonly ignition: Record<string, unknown>;
  readonly networkd: { units?: readonly unknown[] };
  readonly passwd: { groups?: readonly unknown[]; users?: readonly unknown[] };
  readonly storage: Partial<Record<StorageList, readonly unknown[]>>;
  readonly systemd: { units?: readonly unknown[] };
}

const storageLists = ['directories', 'disks', 'files', 'filesystems', 'links', 'raid'] as const;
type StorageList = (typeof storageLists)[number];

export function emptyIgnition(): IgnitionConfig['ignition'] {
  return { config: {}, security: { tls: {} }, timeouts: {}, version: '2.3.0' };
}

/** Merges two configurations. Lists are concatenated. A scalar of `second` overrides that of `first`. */
export function appendIgnition(first: IgnitionConfig, second: IgnitionConfig): IgnitionConfig {
  return {
    ignition: { ...first.ignition, ...second.ignition, version: first.ignition['version'] },
    networkd: lists({ units: [first.networkd.units, second.networkd.units] }),
    passwd: lists({
      groups: [first.passwd.groups, second.passwd.groups],
      users: [first.passwd.users, second.passwd.users],
    }),
    storage: lists(Object.fromEntries(storageLists.map((name) => [name, [first.storage[name], second.storage[name]]]))),
    systemd: lists({ units: [first.systemd.units, second.systemd.units] }),
  };
}

type Parts = readonly (readonly unknown[] | undefined)[];

/** Concatenates lists and drops empty ones. */
export function lists(parts: Readonly<Record<string, Parts>>): Record<string, readonly unknown[]> {
  const joined = Object.entries(parts).map(([name, values]) => [name, values.flatMap((value) => value ?? [])] as const);
  return Object.fromEntries(joined.filter(([, values]) => values.length > 0));
}

/** Returns JSON as Go writes it, with escaped HTML characters. */
export function ignitionText(config: IgnitionConfig): string {
  return JSON.stringify(config).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns a data URL with the content of a file. Everything except letters, digits and `-_.!~*'()` is escaped. */
export function dataUrl(content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  let text = 'data:,';
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    text += /[A-Za-z0-9\-_.!~*'()]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return text;
}
