import type { ObjectRef } from '@slipway/insight';
import type { Feed } from '../feeds/feed.js';
import { HttpError } from '../http/message.js';
import type { Hub } from './hub.js';

/** Returns the feed of a requested view. */
export function feedOf(hub: Hub, query: URLSearchParams): Feed {
  switch (query.get('view')) {
    case 'fleet':
      return hub.fleet(query.get('namespace') ?? '');
    case 'infrastructure':
      return hub.infrastructure();
    case 'cluster':
      return hub.cluster({ namespace: needed(query, 'namespace'), name: needed(query, 'name') });
    case 'pulse':
      return pulse;
    case 'object':
      return hub.object(refIn(query), query.get('cluster') ?? '');
    default:
      throw new HttpError(404, 'view not found');
  }
}

/** A feed that sends only heartbeats, so that pages without live data also notice a lost connection. */
const pulse: Feed = {
  open(send) {
    send(JSON.stringify({ whole: {} }));
    return { dispose: () => undefined };
  },
};

export function needed(query: URLSearchParams, name: string): string {
  const value = query.get(name) ?? '';
  if (value === '') throw new HttpError(400, `parameter ${name} is required`);
  return value;
}

function refIn(query: URLSearchParams): ObjectRef {
  return {
    group: query.get('group') ?? '',
    kind: needed(query, 'kind'),
    namespace: query.get('namespace') ?? '',
    name: needed(query, 'name'),
  };
}
