import type { Disposable } from '@slipway/base';
import type { AdmissionRequest, Authorizer } from '../../contract/index.js';
import { forbidden } from '@slipway/kube';
import { expressionBindings } from '../expression-context.js';
import { evaluateConditions } from '../match-conditions.js';
import type { View } from '../matching/equivalents.js';
import { matchRequest, type MatchSources } from '../matching/match-resources.js';
import { RuleIndex } from '../matching/rule-index.js';
import type { VersionedRequest } from '../matching/versioned-request.js';
import { isExempt } from '../refuse.js';
import { compileOnce, inOrderOfName, StoredCollection } from '../stored-collection.js';
import { type Webhook, webhooksOf } from './webhook.js';

/** The webhooks of all stored configurations of one kind. */
export class WebhookSource implements Disposable {
  readonly #sources: MatchSources;
  readonly #authorizer: Authorizer;
  readonly #index: StoredCollection<RuleIndex<Webhook>>;

  constructor(sources: MatchSources, authorizer: Authorizer, resource: string) {
    this.#sources = sources;
    this.#authorizer = authorizer;
    this.#index = new StoredCollection(sources.store, [resource], () => {
      const hooks = inOrderOfName(sources.store, resource).flatMap((object) => compileOnce(object, webhooksOf));
      return new RuleIndex(hooks, sources.equivalents);
    });
  }

  /** Returns the webhooks that may match the request, in call order. */
  candidates(request: AdmissionRequest): readonly Webhook[] {
    return isExempt(request) ? [] : this.#index.current.candidates(request);
  }

  /**
   * Returns the view with which to call the webhook, or undefined if it does not match. Throws a StatusError if that cannot be
   * determined.
   */
  async match(hook: Webhook, request: AdmissionRequest, versioned: VersionedRequest): Promise<View | undefined> {
    const view = matchRequest(hook.match, request, this.#sources);
    if (view === undefined || hook.conditions.length === 0) return view;
    const bindings = expressionBindings(request, view, await versioned.at(view), this.#authorizer);
    const outcome = evaluateConditions(hook.conditions, bindings);
    if (outcome === 'match') return view;
    if (outcome === 'noMatch' || hook.ignoresFailure) return undefined;
    throw forbidden(request.resource, request.name, outcome.error);
  }

  dispose(): void {
    this.#index.dispose();
  }
}
