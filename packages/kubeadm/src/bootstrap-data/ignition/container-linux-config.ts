import { parseYamlValue, YamlError } from '@slipway/kube';
import { BootstrapDataError } from '../types.js';
import {
  choice,
  type Field,
  flag,
  integer,
  invalid,
  isMapping,
  list,
  mapping,
  optionalMapping,
  type Place,
  type Reader,
  requiredText,
  text,
  wrongType,
} from './config-reader.js';
import { dataUrl, type IgnitionConfig } from './ignition-config.js';

/** Parses the additional configuration of the user. Rejects sections that need services of Container Linux. */
export function readContainerLinuxConfig(
  yaml: string,
  options: { readonly strict: boolean },
): { readonly config: IgnitionConfig; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const place: Place = { path: '', warn: (message) => warnings.push(message) };
  const root = parse(yaml);
  if (root !== null && !isMapping(root)) throw wrongType(place, 'a mapping');
  const config = wholeConfig(root, place) as IgnitionConfig;
  if (options.strict && warnings.length > 0)
    throw new BootstrapDataError(
      'InvalidIgnitionConfig',
      `converting additional CLC to Ignition: strict is set, but the config has warnings: ${warnings.join('; ')}`,
    );
  return { config, warnings };
}

function parse(yaml: string): unknown {
  try {
    return parseYamlValue(yaml);
  } catch (cause) {
    const why = cause instanceof YamlError ? cause.message : 'it cannot be read';
    throw new BootstrapDataError(
      'InvalidIgnitionConfig',
      `converting additional CLC to Ignition: invalid YAML: ${why}`,
    );
  }
}

const refused: Reader = (value, place) => {
  if (value === undefined || value === null) return undefined;
  throw invalid(place, 'is not supported; use systemd units and files instead');
};

const hash: Reader = (value, place) => {
  if (value === undefined || value === null) return undefined;
  if (!isMapping(value)) throw wrongType(place, 'a mapping');
  const { function: name, sum } = value;
  if (typeof name !== 'string' || typeof sum !== 'string')
    throw invalid(place, 'must have the fields function and sum');
  return name === '' || sum === '' ? undefined : `${name}-${sum}`;
};

const verification = mapping([['hash', 'hash', hash]]);
const reference: readonly Field[] = [
  ['source', 'source', requiredText],
  ['verification', 'verification', verification],
];

const dropins = list(
  mapping([
    ['contents', 'contents', text],
    ['name', 'name', requiredText],
  ]),
);

const identity = optionalMapping([
  ['id', 'id', integer],
  ['name', 'name', text],
]);

function nodeFields(mode: Field): readonly Field[] {
  return [
    ['filesystem', 'filesystem', (value, place) => text(value, place) ?? 'root'],
    ['group', 'group', identity],
    ['overwrite', 'overwrite', choice],
    ['path', 'path', requiredText],
    ['user', 'user', identity],
    mode,
  ];
}

function mode(value: number): Reader {
  return (given, place) => {
    if (given === undefined || given === null)
      place.warn(`${place.path}: mode unspecified, defaulting to 0${value.toString(8)}`);
    return integer(given, place) ?? value;
  };
}

const remote = mapping([
  ['compression', 'compression', text],
  ['source', 'url', text],
  ['verification', 'verification', verification],
]);

const contents: Reader = (value, place) => {
  const { inline, local, remote: source } = isMapping(value) ? value : {};
  refused(local, { ...place, path: `${place.path}.local` });
  const far = remote(source, { ...place, path: `${place.path}.remote` }) as Record<string, unknown>;
  if (inline !== undefined && inline !== '' && far['source'] !== undefined)
    throw invalid(place, 'can have only one of inline and remote.url');
  const own = { source: dataUrl(requiredText(inline, place) as string), verification: {} };
  return far['source'] === undefined ? own : far;
};

const files = list(
  mapping([
    ...nodeFields(['append', 'append', flag]),
    ['contents', 'contents', contents],
    ['mode', 'mode', mode(0o644)],
  ]),
);

const mebibytes: Reader = (value, place) => {
  const size = text(value, place);
  if (typeof size !== 'string') return undefined;
  const [, digits, unit = ''] = /^(\d{1,15})([KMGTP]i?B?|B)?$/.exec(size) ?? [];
  const bytes = Number(digits) * 1024 ** ' KMGTP'.indexOf(unit.replace(/[iB]/g, '') || ' ');
  if (digits === undefined || bytes % 1_048_576 !== 0)
    throw invalid(place, 'must be a multiple of 1MiB, such as 10GiB');
  return bytes / 1_048_576;
};

const disks = list(
  mapping([
    ['device', 'device', requiredText],
    [
      'partitions',
      'partitions',
      list(
        mapping([
          ['guid', 'guid', text],
          ['label', 'label', text],
          ['number', 'number', integer],
          ['sizeMiB', 'size', mebibytes],
          ['startMiB', 'start', mebibytes],
          ['typeGuid', 'type_guid', text],
        ]),
      ),
    ],
    ['wipeTable', 'wipe_table', flag],
  ]),
);

const filesystems = list(
  mapping([
    [
      'mount',
      'mount',
      optionalMapping([
        [
          'create',
          'create',
          optionalMapping([
            ['force', 'force', flag],
            ['options', 'options', list(requiredText)],
          ]),
        ],
        ['device', 'device', requiredText],
        ['format', 'format', requiredText],
        ['label', 'label', text],
        ['options', 'options', list(requiredText)],
        ['uuid', 'uuid', text],
        ['wipeFilesystem', 'wipe_filesystem', flag],
      ]),
    ],
    ['name', 'name', text],
    ['path', 'path', text],
  ]),
);

const storage = mapping([
  ['directories', 'directories', list(mapping(nodeFields(['mode', 'mode', mode(0o755)])))],
  ['disks', 'disks', disks],
  ['files', 'files', files],
  ['filesystems', 'filesystems', filesystems],
  ['links', 'links', list(mapping([...nodeFields(['hard', 'hard', flag]), ['target', 'target', requiredText]]))],
  [
    'raid',
    'raid',
    list(
      mapping([
        ['devices', 'devices', list(requiredText)],
        ['level', 'level', requiredText],
        ['name', 'name', requiredText],
        ['options', 'options', list(requiredText)],
        ['spares', 'spares', integer],
      ]),
    ),
  ],
]);

const userFields: readonly Field[] = [
  ['gecos', 'gecos', text],
  ['groups', 'groups', list(requiredText)],
  ['homeDir', 'home_dir', text],
  ['noCreateHome', 'no_create_home', flag],
  ['noLogInit', 'no_log_init', flag],
  ['noUserGroup', 'no_user_group', flag],
  ['primaryGroup', 'primary_group', text],
  ['shell', 'shell', text],
  ['system', 'system', flag],
  ['uid', 'uid', integer],
];

const passwd = mapping([
  [
    'groups',
    'groups',
    list(
      mapping([
        ['gid', 'gid', integer],
        ['name', 'name', requiredText],
        ['passwordHash', 'password_hash', text],
        ['system', 'system', flag],
      ]),
    ),
  ],
  [
    'users',
    'users',
    list(
      mapping([
        ['create', 'create', optionalMapping(userFields)],
        ...userFields.slice(0, 3),
        ['name', 'name', requiredText],
        ...userFields.slice(3, 6),
        ['passwordHash', 'password_hash', text],
        ['primaryGroup', 'primary_group', text],
        ['sshAuthorizedKeys', 'ssh_authorized_keys', list(requiredText)],
        ...userFields.slice(7),
      ]),
    ),
  ],
]);

const units: readonly Field[] = [
  ['contents', 'contents', text],
  ['dropins', 'dropins', dropins],
];

const unitMembers = mapping([
  ...units,
  ['enable', 'enable', flag],
  ['enabled', 'enabled', choice],
  ['mask', 'mask', flag],
  ['name', 'name', requiredText],
]);

const systemdUnit: Reader = (value, place) => {
  const unit = unitMembers(value, place) as Readonly<Record<string, unknown>>;
  const { contents: lines, enable, enabled } = unit;
  if ((enable === true || enabled === true) && typeof lines === 'string' && !/^\s*\[Install\]/m.test(lines))
    place.warn(`${place.path}: unit is enabled, but has no install section so enable does nothing`);
  return unit;
};

const ignition = mapping([
  [
    'config',
    'config',
    mapping([
      ['append', 'append', list(mapping(reference))],
      ['replace', 'replace', optionalMapping(reference)],
    ]),
  ],
  [
    'security',
    'security',
    mapping([
      ['tls', 'tls', mapping([['certificateAuthorities', 'certificate_authorities', list(mapping(reference))]])],
    ]),
  ],
  [
    'timeouts',
    'timeouts',
    mapping([
      ['httpResponseHeaders', 'http_response_headers', integer],
      ['httpTotal', 'http_total', integer],
    ]),
  ],
]);

const wholeConfig = mapping([
  ['ignition', 'ignition', ignition],
  ['networkd', 'networkd', mapping([['units', 'units', list(mapping([...units, ['name', 'name', requiredText]]))]])],
  ['passwd', 'passwd', passwd],
  ['storage', 'storage', storage],
  ['systemd', 'systemd', mapping([['units', 'units', list(systemdUnit)]])],
  ...['etcd', 'flannel', 'update', 'docker', 'locksmith'].map((name): Field => [name, name, refused]),
]);
