import type { RequestHeaders } from '@slipway/base';

const prefix = 'impersonate-';

/**
 * Returns impersonation headers as separate values and all other headers unchanged. Node joins repeated headers with commas, but
 * a group name may contain a comma. To be fast, the check for impersonation headers compares a prefix only.
 */
export function separateRepeated(headers: RequestHeaders, raw: readonly string[]): RequestHeaders {
  let separated: Record<string, string | readonly string[] | undefined> | undefined;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (name.length <= prefix.length || (name.charCodeAt(0) | 0x20) !== 0x69) continue;
    const lower = name.toLowerCase();
    if (!lower.startsWith(prefix)) continue;
    separated ??= withoutImpersonation(headers);
    separated[lower] = [...((separated[lower] as readonly string[] | undefined) ?? []), raw[index + 1] ?? ''];
  }
  return separated ?? headers;
}

function withoutImpersonation(headers: RequestHeaders): Record<string, string | readonly string[] | undefined> {
  const kept = Object.create(null) as Record<string, string | readonly string[] | undefined>;
  for (const [name, value] of Object.entries(headers)) if (!name.startsWith(prefix)) kept[name] = value;
  return kept;
}
