import { formatMicroTime, type JsonObject, parseTime, StatusError, stringifyJson } from '@slipway/kube';
import type { HttpClient } from '../client/index.js';
import { redact } from './redact.js';
import type { ChangeFeed, ChangeRecord } from './change-feed.js';

export const changesPath = '/debug/changes';

const changesMax = 1_000;

/** Returns the document of `/debug/changes`: recent changes as JSON, the most recent first. Never contains a secret. */
export function changesDocument(feed: ChangeFeed): { readonly contentType: string; readonly body: string } {
  const changes = feed.recent().slice(-changesMax).reverse().map(changeToJson);
  const document = { published: feed.published, counts: { ...feed.counts }, changes };
  return { contentType: 'application/json', body: `${stringifyJson(document, { indent: 2 })}\n` };
}

/**
 * Reads the changes that the controllers of an embedded management plane made, oldest first. Returns undefined if the server
 * has no `/debug/changes` or the user may not read it, as on a management cluster with separate controllers.
 */
export async function readChanges(
  client: Pick<HttpClient, 'getRaw'>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly ChangeRecord[] | undefined> {
  let body: string;
  try {
    body = await client.getRaw(changesPath, options);
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
  const { changes } = JSON.parse(body) as { readonly changes: readonly SerializedRecord[] };
  return changes.map((change) => ({ ...change, time: parseTime(change.time) })).reverse();
}

type SerializedRecord = Omit<ChangeRecord, 'time'> & { readonly time: string };

/**
 * Formats a record as JSON. Labels are omitted, because they make the list long and the object has them. Errors and messages are
 * redacted, because they may quote other programs.
 */
function changeToJson(record: ChangeRecord): JsonObject {
  const { time, durationMs, controller, reconciled, object, verb, subresource, action, cluster, error } = record;
  const { labels: _labels, ...target } = object;
  return {
    time: formatMicroTime(time),
    controller,
    ...(reconciled === undefined ? {} : { reconciled: { ...reconciled } }),
    object: { ...target },
    ...(cluster === undefined ? {} : { cluster }),
    verb,
    ...(subresource === undefined ? {} : { subresource }),
    ...(action === undefined ? {} : { action }),
    reason: record.reason,
    message: redact(record.message),
    fields: record.fields.map((field) => ({ ...field })),
    result: record.result,
    ...(error === undefined ? {} : { error: redact(error) }),
    durationMs: Math.round(durationMs),
    dryRun: record.dryRun,
  };
}
