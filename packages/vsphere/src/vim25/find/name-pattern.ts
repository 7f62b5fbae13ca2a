/** Replaces the escape sequences that vCenter uses for slashes, backslashes and percent signs in names. */
function unescapeName(name: string): string {
  return name.replace(/%(2f|5c|25)/gi, (text) => decodeURIComponent(text));
}

export function hasPattern(text: string): boolean {
  return /[*?[]/.test(text);
}

/** Compiles a path segment with `*`, `?` and `[..]` to a predicate. */
export function namePattern(segment: string): (name: string) => boolean {
  if (!hasPattern(segment)) {
    const nameOrPath = unescapeName(segment);
    return (name) => unescapeName(name) === nameOrPath;
  }
  let source = '';
  for (let index = 0; index < segment.length; index += 1) {
    const character = segment[index] as string;
    const close = character === '[' ? segment.indexOf(']', index + 2) : -1;
    if (character === '*') source += '.*';
    else if (character === '?') source += '.';
    else if (close > 0) {
      source += characterClass(segment.slice(index + 1, close));
      index = close;
    } else source += character.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  }
  const pattern = new RegExp(`^${source}$`, 's');
  return (name) => pattern.test(unescapeName(name));
}

function characterClass(content: string): string {
  const negated = /^[!^]/.test(content);
  const characters = (negated ? content.slice(1) : content).replace(/[\\[\]^]/g, '\\$&');
  return `[${negated ? '^' : ''}${characters}]`;
}

/** Returns whether a name or path still matches an object of this name. References and patterns always match. */
export function isNamed(nameOrPath: string, name: string): boolean {
  return namePattern(nameOrPath.split('/').at(-1) ?? '')(name);
}
