import { formatMicroTime, type JsonObject, stringifyJson } from '@slipway/kube';
import { redact } from '../events/redact.js';
import type { ChangeFeed, ChangeRecord } from './change-feed.js';

export const changesPath = '/debug/changes';

const changesMax = 1_000;

/** The document of `/debug/changes`: recent changes as JSON, the most recent first. Never shows a secret. */
export function changesDocument(feed: ChangeFeed): { readonly contentType: string; readonly body: string } {
  const changes = feed.recent().slice(-changesMax).reverse().map(changeToJson);
  const document = { published: feed.published, changes };
  return { contentType: 'application/json', body: `${stringifyJson(document, { indent: 2 })}\n` };
}

/** Labels are left out: they make the list long, and the object has them. Errors and messages quote others, so they are redacted. */
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
