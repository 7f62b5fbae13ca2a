import type { ControllerDescriptor, ControllerSet } from './controller-set.js';
import { FeatureGates } from './feature-gates.js';
import { SettingError, Settings } from './settings.js';

export interface ControllerChoices {
  /** Names of controllers and sets, `*` for all, `-name` to exclude one. All if absent. */
  readonly controllers?: readonly string[];
  /** Maximum number of concurrent reconciles, by name of the controller. */
  readonly concurrency?: ReadonlyMap<string, number>;
  readonly featureGates?: string;
  /** Values of settings, by flag. */
  readonly settings?: ReadonlyMap<string, string>;
}

interface ChosenController {
  readonly set: ControllerSet;
  readonly descriptor: ControllerDescriptor;
  readonly concurrency: number;
}

export interface ChosenControllers {
  readonly controllers: readonly ChosenController[];
  /** Sets of which at least one controller runs. */
  readonly sets: readonly ControllerSet[];
  readonly featureGates: FeatureGates;
  readonly settings: Settings;
}

/** The user selected unknown controllers. */
export class ControllerChoiceError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ControllerChoiceError';
  }
}

// Upstream's default concurrency.
const concurrencyDefault = 10;

/** Returns the controllers to run and their concurrency, as selected by the user. */
export function selectControllers(sets: readonly ControllerSet[], choices: ControllerChoices = {}): ChosenControllers {
  const all = sets.flatMap((set) => set.controllers.map((descriptor) => ({ set, descriptor })));
  const featureGates = new FeatureGates(
    sets.flatMap((set) => set.featureGates ?? []),
    choices.featureGates,
  );
  checkNames(sets, [...(choices.concurrency?.keys() ?? [])], { setsToo: false });
  const selected = selectedNames(sets, choices.controllers ?? ['*']);
  const controllers = all
    .filter(({ descriptor }) => selected.has(descriptor.name))
    .filter(({ descriptor: { featureGate } }) => featureGate === undefined || featureGates.isOpen(featureGate))
    .map(({ set, descriptor }) => ({ set, descriptor, concurrency: concurrencyOf(descriptor, choices) }));
  const chosenSets = sets.filter((set) => controllers.some((each) => each.set === set));
  return { controllers, sets: chosenSets, featureGates, settings: readSettings(sets, choices.settings) };
}

/** Parses all settings, so that invalid values are reported before anything runs. */
function readSettings(sets: readonly ControllerSet[], given: ReadonlyMap<string, string> = new Map()): Settings {
  const settings = new Settings(given);
  const known = sets.flatMap((set) => set.settings ?? []);
  for (const flag of given.keys()) {
    const setting = known.find((each) => each.flag === flag);
    if (setting === undefined) throw new SettingError(`unknown flag --${flag}`);
    try {
      settings.get(setting);
    } catch (error) {
      if (error instanceof SettingError) throw new SettingError(`--${flag}: ${error.message}`);
      throw error;
    }
  }
  return settings;
}

/** Returns the upstream flag for the concurrency of a controller. */
export function concurrencyFlagOf(descriptor: ControllerDescriptor): string {
  return descriptor.concurrencyFlag ?? `${descriptor.name}-concurrency`;
}

function concurrencyOf(descriptor: ControllerDescriptor, choices: ControllerChoices): number {
  return choices.concurrency?.get(descriptor.name) ?? descriptor.concurrencyDefault ?? concurrencyDefault;
}

function selectedNames(sets: readonly ControllerSet[], selectors: readonly string[]): ReadonlySet<string> {
  const everything = sets.flatMap((set) => set.controllers.map(({ name }) => name));
  const bare = selectors.filter((selector) => selector !== '*').map((selector) => selector.replace(/^-/, ''));
  checkNames(sets, bare, { setsToo: true });
  const membersOf = (name: string): readonly string[] =>
    sets.find((set) => set.name === name)?.controllers.map((controller) => controller.name) ?? [name];
  // A selection that contains only exclusions starts from all controllers.
  const fromAll = selectors.includes('*') || selectors.every((selector) => selector.startsWith('-'));
  const selected = new Set(fromAll ? everything : []);
  for (const selector of selectors)
    if (selector !== '*' && !selector.startsWith('-')) for (const name of membersOf(selector)) selected.add(name);
  for (const selector of selectors)
    if (selector.startsWith('-')) for (const name of membersOf(selector.slice(1))) selected.delete(name);
  return selected;
}

function checkNames(sets: readonly ControllerSet[], names: readonly string[], options: { setsToo: boolean }): void {
  const known = new Set(sets.flatMap((set) => set.controllers.map(({ name }) => name)));
  if (options.setsToo) for (const { name } of sets) known.add(name);
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new ControllerChoiceError(
    `unknown controller "${unknown}"; known controllers: ${[...known].sort().join(', ')}`,
  );
}
