import type { HookAnswers } from './upgrade/lifecycle-hook.js';

/** Seconds after which to ask again: the shortest that any extension wants; zero when none holds anything up. */
export function retryAfterSeconds(answers: HookAnswers): number {
  const waits = [...answers.values()].map((answer) => answer.retryAfterSeconds).filter((seconds) => seconds > 0);
  return waits.length === 0 ? 0 : Math.min(...waits);
}

/** Which hooks hold up `action`, and what they say; empty when none does. */
export function blockingMessage(answers: HookAnswers, action: string): string {
  const texts = [...answers]
    .filter(([, answer]) => answer.retryAfterSeconds !== 0)
    .map(([hook, { message }]) => (message === '' ? hook : `${hook}: ${message}`))
    .sort();
  return texts.length === 0 ? '' : `Following hooks are blocking ${action}: ${texts.join('; ')}`;
}
