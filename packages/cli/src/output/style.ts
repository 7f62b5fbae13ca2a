/** Text styles. Each function returns the text with or without terminal escape codes. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly name: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly doubtful: (text: string) => string;
}

const same = (text: string): string => text;
const code =
  (on: number) =>
  (text: string): string =>
    text === '' ? '' : `\u001B[${on}m${text}\u001B[0m`;

export const plainStyle: Style = { bold: same, faint: same, name: same, good: same, bad: same, doubtful: same };

/** clusterctl's colours. */
export const colourStyle: Style = {
  bold: code(1),
  faint: code(90),
  name: code(36),
  good: code(32),
  bad: code(31),
  doubtful: code(33),
};

/** Returns the style. Colours are used only on a terminal; the flag overrides this check, and NO_COLOR overrides the flag. */
export function styleFor(
  stream: { readonly isTTY?: boolean },
  flag: boolean | undefined,
  env: NodeJS.ProcessEnv = process.env,
): Style {
  if ((env['NO_COLOR'] ?? '') !== '') return plainStyle;
  return (flag ?? (stream.isTTY === true && env['TERM'] !== 'dumb')) ? colourStyle : plainStyle;
}
