/** What comes over the stream of a view. */
export type Frame<View = unknown> =
  | { readonly whole: View }
  /** A merge patch of the view: what is null goes. */
  | { readonly patch: object }
  /** What is shown is not true any more: the management cluster does not answer, or does not allow it. */
  | { readonly lost: string }
  /** The subject of the view is gone, and with it everything that was shown. */
  | { readonly gone: string };

type Fields = Readonly<Record<string, unknown>>;

/** The value with the patch in it. What does not change stays the same object, so that pages draw only what did. */
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
