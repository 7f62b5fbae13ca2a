import { CliError, exitCodes } from '../errors/index.js';

export interface ObjectArgument {
  readonly type: string;
  /** Name of the object. Absent for all objects of the type. */
  readonly name?: string;
}

/** Parses `TYPE[,TYPE…] [NAME…]` or `TYPE/NAME…`, as kubectl does. */
export function parseObjectArguments(args: readonly string[]): readonly ObjectArgument[] {
  const [first = '', ...names] = args;
  if (first === '') throw usage('a resource type is required', 'specify one, such as `slipway get clusters`');
  if (args.some((arg) => arg.includes('/'))) return args.map(parseTypeAndName);
  const types = first.split(',').filter((type) => type !== '');
  if (names.length === 0) return types.map((type) => ({ type }));
  if (types.length > 1) throw usage('several types cannot be combined with names', 'write TYPE/NAME for each object');
  return names.map((name) => ({ type: first, name }));
}

function parseTypeAndName(arg: string): ObjectArgument {
  const [type = '', name = '', ...rest] = arg.split('/');
  if (type !== '' && name !== '' && rest.length === 0) return { type, name };
  throw usage(`"${arg}" is not TYPE/NAME`, 'write TYPE/NAME for each object, such as machine/demo-x7k2p');
}

function usage(message: string, remedy: string): CliError {
  return new CliError(message, { remedy, exitCode: exitCodes.usage });
}
