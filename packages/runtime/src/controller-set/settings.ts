import { parseDuration } from '@slipway/kube';

/** A flag defined by controllers, such as `--bootstrap-token-ttl 15m`. */
export interface Setting<T> {
  /** Name without dashes. */
  readonly flag: string;
  /** Value placeholder in help: `time`, `regexes`. */
  readonly placeholder: string;
  readonly description: string;
  /** Default, in flag syntax. */
  readonly default: string;
  /** Parses a value. Throws SettingError if it is invalid. */
  readonly parse: (text: string) => T;
}

/** An invalid value of a setting. The message lists the valid values. */
export class SettingError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SettingError';
  }
}

/** The values of settings, by flag. Each controller reads its own settings. */
export class Settings {
  constructor(private readonly given: ReadonlyMap<string, string> = new Map()) {}

  get<T>({ flag, default: text, parse }: Setting<T>): T {
    return parse(this.given.get(flag) ?? text);
  }
}

type Described = Omit<Setting<never>, 'placeholder' | 'parse'>;

/** Declares a setting whose value is a duration, in milliseconds and at least `minMs`. */
export function durationSetting(described: Described, minMs = 1): Setting<number> {
  return {
    ...described,
    placeholder: 'time',
    parse: (text) => {
      const ms = millisecondsOf(text);
      if (ms === undefined || ms < minMs)
        throw new SettingError(
          `invalid duration "${text}": use a value such as 90s or 5m${minMs > 1 ? `, ${minMs / 1_000}s or longer` : ''}`,
        );
      return ms;
    },
  };
}

function millisecondsOf(text: string): number | undefined {
  try {
    return Number(parseDuration(text)) / 1e6;
  } catch {
    return undefined;
  }
}

/** Declares a setting whose value is a list of regular expressions, separated by commas. */
export function patternsSetting(described: Omit<Described, 'default'>): Setting<readonly RegExp[]> {
  return {
    ...described,
    default: '',
    placeholder: 'regexes',
    parse: (text) => splitList(text).map(patternOf),
  };
}

function patternOf(source: string): RegExp {
  try {
    return new RegExp(source);
  } catch {
    throw new SettingError(`invalid regular expression "${source}"`);
  }
}

/** Declares a setting whose value is a subset of fixed words, separated by commas. */
export function wordsSetting<T extends string>(described: Described, words: readonly T[]): Setting<readonly T[]> {
  return {
    ...described,
    placeholder: 'names',
    parse: (text) =>
      splitList(text).map((name) => {
        const found = words.find((word) => word === name);
        if (found === undefined) throw new SettingError(`invalid value "${name}": must be one of ${words.join(', ')}`);
        return found;
      }),
  };
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
