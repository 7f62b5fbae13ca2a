import type { Command, Option } from 'commander';

interface GlobalFlag {
  readonly long: string;
  readonly short?: string;
  readonly takesValue: boolean;
  readonly help: string;
}

const globalFlags: readonly GlobalFlag[] = [
  { long: '--kubeconfig', takesValue: true, help: '    --kubeconfig <file>  Kubeconfig of the management cluster.' },
  { long: '--context', takesValue: true, help: '    --context <name>     Context of the kubeconfig.' },
  { long: '--kubeconfig-context', takesValue: true, help: '' },
  { long: '--namespace', short: '-n', takesValue: true, help: '-n, --namespace <name>   Namespace.' },
  { long: '--output', short: '-o', takesValue: true, help: '-o, --output <format>    Output format.' },
  { long: '--verbose', short: '-v', takesValue: false, help: '-v, --verbose            Print more details.' },
];

/** Global flags in `slipway --help`. */
export const globalFlagsHelp = `
Common flags. Each can be set before or after a command that supports it:
${globalFlags.flatMap(({ help }) => (help === '' ? [] : [`  ${help}\n`])).join('')}`;

interface ParsedFlag {
  readonly flag: GlobalFlag;
  /** Arguments that make up the flag: one, or two if the value is separate. */
  readonly args: readonly string[];
}

/**
 * Moves global flags that precede a subcommand behind it, where commander expects them: `slipway -n a get kubeconfig b`
 * becomes `slipway get kubeconfig -n a b`. A flag that the command does not have is a usage error, as in kubectl.
 */
export function moveGlobalFlags(program: Command, args: readonly string[]): string[] {
  const path: string[] = [];
  const flags: ParsedFlag[] = [];
  let command = program;
  let at = 0;
  while (at < args.length) {
    const arg = args[at] ?? '';
    const flag = parseGlobalFlag(args, at);
    const subcommand = command.commands.find((each) => each.name() === arg || each.aliases().includes(arg));
    if (flag !== undefined) flags.push(flag);
    else if (subcommand === undefined) break;
    else {
      path.push(arg);
      command = subcommand;
    }
    at += flag?.args.length ?? 1;
  }
  return [...path, ...flags.flatMap((flag) => argsFor(command, flag)), ...args.slice(at)];
}

function parseGlobalFlag(args: readonly string[], at: number): ParsedFlag | undefined {
  const arg = args[at] ?? '';
  for (const flag of globalFlags) {
    const { long, short, takesValue } = flag;
    if (arg === long || arg === short) return { flag, args: takesValue ? args.slice(at, at + 2) : [arg] };
    const isJoined = arg.startsWith(`${long}=`) || (short !== undefined && arg.startsWith(short));
    if (takesValue && isJoined) return { flag, args: [arg] };
  }
  return undefined;
}

function argsFor(command: Command, { flag, args }: ParsedFlag): readonly string[] {
  const option = optionOf(command, flag);
  if (option !== undefined) {
    const [first = '', ...values] = args;
    // `-n` is --target-namespace in some commands: the long name of the global flag sets the same value there.
    return [first.startsWith('--') ? first.replace(flag.long, option.long ?? flag.long) : first, ...values];
  }
  // The program itself reads -v. A command with subcommands and without this flag only prints its help.
  if (flag.long === '--verbose' || command.commands.length > 0) return [];
  return command.error(`error: \`${fullNameOf(command)}\` has no flag ${flag.long}`);
}

function optionOf(command: Command, { long, short }: GlobalFlag): Option | undefined {
  const { options } = command;
  return (
    options.find((each) => each.long === long) ?? options.find((each) => short !== undefined && each.short === short)
  );
}

/** Returns the name of a command with the names of its parents. */
export function fullNameOf(command: Command): string {
  return command.parent === null ? command.name() : `${fullNameOf(command.parent)} ${command.name()}`;
}
