import { Command, Option } from 'commander';

/**
 * A command whose boolean flags are parsed as Go programs parse them: `--flag`, `--flag=true`, `--flag=false`. A value must
 * follow `=`, so that a boolean flag never consumes the argument that follows it.
 */
export class SwitchCommand extends Command {
  readonly #switches = new Set<string>();

  /**
   * Adds a boolean flag. `flags` is in commander's notation: `-c, --color`. Without a default the value is undefined unless the
   * flag is given.
   */
  addSwitch(flags: string, description: string, value?: boolean): this {
    const name = flags.replace(/^.*--/, '');
    this.#switches.add(name);
    const option = new Option(flags, value === true ? `${description} Disable with --${name}=false.` : description);
    if (value !== undefined) option.default(value, '');
    return this.addOption(option).addOption(new Option(`--no-${name}`, description).hideHelp());
  }

  override parseOptions(args: string[]): { operands: string[]; unknown: string[] } {
    return super.parseOptions(args.map((arg) => this.#plain(arg)));
  }

  #plain(arg: string): string {
    const [, name = '', value = ''] = /^--([a-z0-9-]+)=(true|false|1|0)$/.exec(arg) ?? [];
    if (!this.#switches.has(name)) return arg;
    return value === 'true' || value === '1' ? `--${name}` : `--no-${name}`;
  }
}
