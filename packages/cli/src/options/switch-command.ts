import { Command, Option } from 'commander';

/**
 * A command whose switches are given as Go programs take them: `--flag`, `--flag=true`, `--flag=false`. A value must stand
 * behind `=`, so that a switch never swallows the name that follows it.
 */
export class SwitchCommand extends Command {
  readonly #switches = new Set<string>();

  /** `flags` as commander writes them: `-c, --color`. Without a value by default it is undefined unless given. */
  addSwitch(flags: string, description: string, value?: boolean): this {
    const name = flags.replace(/^.*--/, '');
    this.#switches.add(name);
    const option = new Option(flags, value === true ? `${description}; --${name}=false to not` : description);
    if (value !== undefined) option.default(value, '');
    return this.addOption(option).addOption(new Option(`--no-${name}`, description).hideHelp());
  }

  override parseOptions(words: string[]): { operands: string[]; unknown: string[] } {
    return super.parseOptions(words.map((word) => this.#plain(word)));
  }

  #plain(word: string): string {
    const [, name = '', value = ''] = /^--([a-z0-9-]+)=(true|false|1|0)$/.exec(word) ?? [];
    if (!this.#switches.has(name)) return word;
    return value === 'true' || value === '1' ? `--${name}` : `--no-${name}`;
  }
}
