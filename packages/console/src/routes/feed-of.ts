import type { Feed } from '../feeds/feed.js';
import type { Hub } from '../feeds/hub.js';
import { Refusal } from '../http/message.js';

/** The view that a page asks for. */
export function feedOf(hub: Hub, query: URLSearchParams): Feed {
  switch (query.get('view')) {
    case 'fleet':
      return hub.fleet();
    default:
      throw new Refusal(404, 'there is no such view');
  }
}
