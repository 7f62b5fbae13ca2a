import { createHash } from 'node:crypto';
import type { Clock } from '@slipway/base';
import { recordAt, textAt, textsAt } from '@slipway/kube';
import type { UserInfo } from '../../contract/index.js';
import { type TokenAuthenticator, type TokenIdentity, TokenRefused } from './token-authenticator.js';

export interface TokenWebhook {
  /** Posts a TokenReview and returns the one in the response. */
  readonly review: (body: object, signal: AbortSignal) => Promise<unknown>;
  /** How long answers are kept. */
  readonly cacheMs: number;
}

const timeoutMs = 30_000;
/** Anyone can send tokens: limits what they cause. Upstream has no such limit. */
const openReviewsMax = 64;
const cachedMax = 4_096;

type Answer = TokenIdentity | { readonly refused: string };

/** Authenticates tokens by TokenReviews at a webhook. Answers are cached under a hash of the token. */
export class WebhookTokens implements TokenAuthenticator {
  readonly #answers = new Map<string, { readonly until: number; readonly answer: Answer }>();
  readonly #pending = new Map<string, Promise<Answer>>();

  constructor(
    private readonly webhook: TokenWebhook,
    private readonly clock: Clock,
    private readonly audiences: readonly string[],
  ) {}

  async authenticate(token: string, audiences: readonly string[] = this.audiences): Promise<TokenIdentity> {
    const id = createHash('sha256')
      .update(JSON.stringify([token, audiences]))
      .digest('base64');
    const answer = this.#cached(id) ?? (await this.#ask(id, token, audiences));
    if ('refused' in answer) throw new TokenRefused(answer.refused);
    return answer;
  }

  #cached(id: string): Answer | undefined {
    const known = this.#answers.get(id);
    return known !== undefined && known.until > this.clock.monotonic() ? known.answer : undefined;
  }

  #ask(id: string, token: string, audiences: readonly string[]): Promise<Answer> {
    const pending = this.#pending.get(id);
    if (pending !== undefined) return pending;
    if (this.#pending.size >= openReviewsMax) throw new TokenRefused('too many tokens wait for the webhook');
    const asked = this.#review(token, audiences)
      .then((answer) => {
        this.#remember(id, answer);
        return answer;
      })
      // A webhook that does not respond refuses the token, but is asked again the next time.
      .catch((error: unknown) => ({ refused: error instanceof Error ? error.message : String(error) }))
      .finally(() => this.#pending.delete(id));
    this.#pending.set(id, asked);
    return asked;
  }

  async #review(token: string, audiences: readonly string[]): Promise<Answer> {
    const abort = new AbortController();
    const timer = this.clock.setTimer(timeoutMs, () => abort.abort(new Error('the webhook did not respond in time')));
    try {
      const review = {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        metadata: {},
        spec: { token, audiences },
      };
      return answerOf(await this.webhook.review(review, abort.signal), audiences);
    } finally {
      timer.cancel();
    }
  }

  #remember(id: string, answer: Answer): void {
    const now = this.clock.monotonic();
    for (const [old, { until }] of this.#answers) {
      if (until > now && this.#answers.size < cachedMax) break;
      this.#answers.delete(old);
    }
    this.#answers.delete(id);
    this.#answers.set(id, { until: now + this.webhook.cacheMs, answer });
  }
}

function answerOf(response: unknown, requested: readonly string[]): Answer {
  const status = recordAt(response, 'status');
  if (textAt(response, 'kind') !== 'TokenReview' || status === undefined)
    throw new Error('the webhook did not respond with a TokenReview');
  const error = textAt(status, 'error');
  if (status['authenticated'] !== true) return { refused: error === '' ? 'the webhook refused the token' : error };
  const user = userOf(recordAt(status, 'user'));
  if (user.username === '') throw new Error('the webhook returned no user name');
  const given = textsAt(status, 'audiences');
  // A webhook that does not know audiences returns none: its tokens are for this server.
  if (given.length === 0) return { user, audiences: requested };
  const common = requested.filter((audience) => given.includes(audience));
  return common.length === 0 ? { refused: 'the token is for other audiences' } : { user, audiences: common };
}

function userOf(user: unknown): UserInfo {
  const uid = textAt(user, 'uid');
  const extra = Object.entries(recordAt(user, 'extra') ?? {}).map(([name]) => [
    name.toLowerCase(),
    textsAt(recordAt(user, 'extra'), name),
  ]);
  return {
    username: textAt(user, 'username'),
    groups: textsAt(user, 'groups'),
    ...(uid === '' ? {} : { uid }),
    ...(extra.length === 0 ? {} : { extra: Object.fromEntries(extra) as Record<string, readonly string[]> }),
  };
}
