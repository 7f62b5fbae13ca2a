import { VirtualClock } from '@slipway/base';
import { beforeEach, expect, it } from 'vitest';
import { TokenRefused } from './token-authenticator.js';
import { WebhookTokens } from './webhook-tokens.js';

const clock = new VirtualClock();
let calls: object[] = [];
let answer: () => unknown = () => undefined;
let tokens: WebhookTokens;

beforeEach(() => {
  calls = [];
  const review = (body: object): Promise<unknown> => {
    calls.push(body);
    return Promise.resolve().then(answer);
  };
  tokens = new WebhookTokens({ review, cacheMs: 120_000 }, clock, ['kubernetes']);
});

const reviewOf = (status: object) => (): unknown => ({ kind: 'TokenReview', status });
const jane = { username: 'jane', uid: '7', groups: ['dev'], extra: { Tenant: ['a'] } };

it('returns the user of the webhook, and asks once within the time to live', async () => {
  answer = reviewOf({ authenticated: true, user: jane });
  const expected = {
    user: { username: 'jane', uid: '7', groups: ['dev'], extra: { tenant: ['a'] } },
    audiences: ['kubernetes'],
  };
  expect(await Promise.all([tokens.authenticate('t'), tokens.authenticate('t')])).toEqual([expected, expected]);
  await clock.advance(119_000);
  await tokens.authenticate('t');
  expect(calls).toMatchObject([{ kind: 'TokenReview', spec: { token: 't', audiences: ['kubernetes'] } }]);
  await clock.advance(2_000);
  await tokens.authenticate('t');
  expect(calls).toHaveLength(2);
});

it('asks again for other audiences, and refuses tokens for none of them', async () => {
  answer = reviewOf({ authenticated: true, user: jane, audiences: ['vault', 'other'] });
  await expect(tokens.authenticate('t')).rejects.toThrow('the token is for other audiences');
  expect(await tokens.authenticate('t', ['vault', 'db'])).toMatchObject({ audiences: ['vault'] });
});

it.each([
  ['a refusal', reviewOf({ authenticated: false }), 'the webhook refused the token'],
  ['a refusal with a reason', reviewOf({ error: 'revoked' }), 'revoked'],
  ['no user name', reviewOf({ authenticated: true, user: {} }), 'the webhook returned no user name'],
  ['another object', () => ({ kind: 'Status' }), 'did not respond with a TokenReview'],
])('refuses the token after %s', async (_name, response, message) => {
  answer = response;
  await expect(tokens.authenticate('t')).rejects.toThrow(TokenRefused);
  await expect(tokens.authenticate('t')).rejects.toThrow(message);
});

it('does not keep failures of the webhook', async () => {
  answer = () => {
    throw new Error('connection refused');
  };
  await expect(tokens.authenticate('t')).rejects.toThrow('connection refused');
  answer = reviewOf({ authenticated: true, user: jane });
  expect((await tokens.authenticate('t')).user.username).toBe('jane');
});

it('limits how many reviews are open', async () => {
  answer = () => new Promise(() => undefined);
  for (let count = 0; count < 64; count += 1) void tokens.authenticate(`t${count}`);
  await expect(tokens.authenticate('one more')).rejects.toThrow('too many tokens wait for the webhook');
});

it('refuses a token when the webhook does not respond in 30 seconds', async () => {
  const review = (_body: object, signal: AbortSignal): Promise<unknown> =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  const silent = new WebhookTokens({ review, cacheMs: 0 }, clock, []);
  const problem = silent.authenticate('t').catch((error: unknown) => String(error));
  await clock.advance(30_000);
  expect(await problem).toContain('the webhook did not respond in time');
});
