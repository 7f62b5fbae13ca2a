import type { Clock, Disposable, Logger, Random } from '@slipway/base';
import type { Conversion, KindAdmission } from '@slipway/cluster-api';
import type { Kind } from '@slipway/kube';
import type { ControllerSet, PolicyRule } from '@slipway/runtime';

/** Types of providers that a plugin can add. Core providers are built in. */
const pluginTypes = [
  'BootstrapProvider',
  'ControlPlaneProvider',
  'InfrastructureProvider',
  'IPAMProvider',
  'RuntimeExtensionProvider',
  'AddonProvider',
] as const;

/** What a plugin gets from the process that runs its controllers. */
export interface PluginDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** The controllers of a plugin. `dispose` releases what they use, after they have stopped. */
export interface PluginControllers extends Partial<Disposable> {
  readonly set: ControllerSet;
}

/** A provider, or another set of controllers, that is developed outside of Slipway. */
export interface Plugin {
  /** Name of the provider, such as `pond`: the value of `--infrastructure`, and part of its labels and of its namespace. */
  readonly name: string;
  readonly type: (typeof pluginTypes)[number];
  /** The CRDs of the plugin. */
  readonly kinds: readonly Kind[];
  /** Conversions between the versions of the kinds. */
  readonly conversions?: readonly Conversion[];
  /** Defaulting and validation of the kinds. */
  readonly admission?: readonly KindAdmission[];
  /** Creates the controllers. Must not access the network or start work: that begins with the controllers. */
  readonly controllers: (dependencies: PluginDependencies) => PluginControllers;
  /**
   * RBAC rules that the controllers need beyond watching: reads without a watch, and writes to objects of other owners. Rules
   * for the kinds of the plugin itself and for watches are added.
   */
  readonly permissions?: readonly PolicyRule[];
  /** Cluster templates by file name: `cluster-template.yaml`, `cluster-template-<flavor>.yaml`, `clusterclass-<name>.yaml`. */
  readonly templates?: Readonly<Record<string, string>>;
  /** Image that contains Slipway and the plugin, for the manager that `slipway init` installs. */
  readonly image?: string;
}

const defined = new WeakSet<object>();

/** Validates a plugin. A package exports the result as `plugin`. */
export function definePlugin(plugin: Plugin): Plugin {
  const wrongTypes = typeProblems(plugin);
  const problems = wrongTypes.length > 0 ? wrongTypes : problemsOf(plugin);
  if (problems.length > 0) throw new Error(`invalid plugin "${plugin.name}": ${problems.join('; ')}`);
  const checked = Object.freeze({ ...plugin });
  defined.add(checked);
  return checked;
}

/** Returns whether definePlugin of this copy of the library returned the value. A second copy would have its own state. */
export function isPlugin(value: unknown): value is Plugin {
  return typeof value === 'object' && value !== null && defined.has(value);
}

const namePattern = /^[a-z][a-z0-9-]{0,38}[a-z0-9]$/;
const templatePattern = /^(?:cluster-template(?:-[a-z0-9-]+)?|clusterclass-[a-z0-9-]+)\.yaml$/;

/** Plugins can be JavaScript, whose fields may be missing or have other types. */
function typeProblems({ controllers, templates, kinds, ...lists }: Partial<Record<keyof Plugin, unknown>>): string[] {
  const { conversions = [], admission = [], permissions = [] } = lists;
  const problems = Object.entries({ kinds, conversions, admission, permissions })
    .filter(([, list]) => !Array.isArray(list))
    .map(([what]) => `${what} must be a list`);
  if (Array.isArray(kinds) && !kinds.every(isKind)) problems.push('kinds must contain results of defineKind');
  if (typeof controllers !== 'function') problems.push('controllers must be a function');
  for (const [file, text] of Object.entries(templates ?? {}))
    if (typeof text !== 'string') problems.push(`template "${file}" must be a string`);
  return problems;
}

function isKind(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'plural' in value && 'group' in value;
}

function problemsOf({ name, type, kinds, conversions = [], admission = [], templates = {} }: Plugin): string[] {
  const problems: string[] = [];
  if (!namePattern.test(name)) problems.push('name must be 2 to 40 lowercase letters, digits and dashes');
  if (!pluginTypes.includes(type)) problems.push(`type must be one of ${pluginTypes.join(', ')}`);
  const names = kinds.map((kind) => `${kind.plural}.${kind.group}`);
  for (const twice of new Set(names.filter((each, index) => names.indexOf(each) !== index)))
    problems.push(`kinds contains ${twice} twice`);
  for (const [what, list] of Object.entries({ conversions, admission }))
    for (const { kind } of list)
      if (!kinds.includes(kind)) problems.push(`${what} contains ${kind.kind}, which is missing from kinds`);
  for (const file of Object.keys(templates))
    if (!templatePattern.test(file))
      problems.push(
        `template "${file}" must be named cluster-template.yaml, cluster-template-<flavor>.yaml or clusterclass-<name>.yaml`,
      );
  return problems;
}
