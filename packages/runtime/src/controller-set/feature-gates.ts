/** A feature that can be enabled or disabled by name. */
export interface FeatureGate {
  readonly name: string;
  readonly default: boolean;
  /** By default Alpha is disabled and Beta is enabled. GA cannot be disabled. */
  readonly stage: 'Alpha' | 'Beta' | 'GA';
}

const groupOf: Readonly<Record<string, FeatureGate['stage']>> = { AllAlpha: 'Alpha', AllBeta: 'Beta' };

/** An invalid value of `--feature-gates`. */
export class FeatureGateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FeatureGateError';
  }
}

/** The enabled feature gates. Querying an undeclared gate is a programming error and throws. */
export class FeatureGates {
  readonly #states = new Map<string, boolean>();

  /** `chosen` has the form of `--feature-gates`: `A=true,B=false`. The last value of a gate wins. */
  constructor(gates: Iterable<FeatureGate>, chosen = '') {
    const known = new Map<string, FeatureGate>();
    for (const gate of gates) {
      known.set(gate.name, gate);
      this.#states.set(gate.name, gate.default);
    }
    const choices = parseGates(chosen);
    // Apply AllAlpha and AllBeta first, so that a single gate overrides them wherever it is listed.
    for (const [name, value] of choices) {
      const stage = Object.hasOwn(groupOf, name) ? groupOf[name] : undefined;
      for (const gate of known.values()) if (gate.stage === stage) this.#states.set(gate.name, value);
    }
    for (const [name, value] of choices) {
      if (Object.hasOwn(groupOf, name)) continue;
      this.#choose(known, name, value);
    }
  }

  isOpen(name: string): boolean {
    const state = this.#states.get(name);
    if (state === undefined) throw new Error(`feature gate ${name} is not declared`);
    return state;
  }

  entries(): readonly (readonly [name: string, open: boolean])[] {
    return [...this.#states];
  }

  #choose(known: ReadonlyMap<string, FeatureGate>, name: string, value: boolean): void {
    const gate = known.get(name);
    if (gate === undefined) {
      const names = [...known.keys()].sort().join(', ');
      throw new FeatureGateError(
        `unrecognized feature gate: ${name}; ${names === '' ? 'no feature gates exist' : `known feature gates: ${names}`}`,
      );
    }
    if (gate.stage === 'GA' && value !== gate.default)
      throw new FeatureGateError(`cannot set feature gate ${name} to ${value}, feature is locked to ${gate.default}`);
    this.#states.set(name, value);
  }
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text) => [text, false] as const),
]);

function parseGates(text: string): Map<string, boolean> {
  const choices = new Map<string, boolean>();
  for (const part of text.split(',').map((each) => each.trim())) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    if (equals < 0) throw new FeatureGateError(`missing bool value for ${part}: write ${part}=true or ${part}=false`);
    const name = part.slice(0, equals).trim();
    const value = truths.get(part.slice(equals + 1).trim());
    if (value === undefined)
      throw new FeatureGateError(`invalid value of ${part}: a feature gate is either true or false`);
    choices.set(name, value);
  }
  return choices;
}
