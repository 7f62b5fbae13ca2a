/** A message on the stream of a view. */
export type Frame<View = unknown> =
  | { readonly whole: View }
  /** A JSON merge patch of the view: null removes a field. */
  | { readonly patch: object }
  /** The view is outdated, because the management cluster does not respond or denies access. */
  | { readonly lost: string }
  /** The object that the view shows was deleted. Pages remove all of its data. */
  | { readonly gone: string };

type Fields = Readonly<Record<string, unknown>>;

/** Applies a merge patch. Unchanged parts stay the same objects, so that pages redraw only the changed parts. */
export function patched<View>(value: View, patch: object): View {
  const next: Record<string, unknown> = { ...(value as Fields) };
  for (const [key, part] of Object.entries(patch) as [string, unknown][]) {
    if (part === null) delete next[key];
    else if (isFields(part) && isFields(next[key])) next[key] = patched(next[key], part);
    else next[key] = part;
  }
  return next as View;
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
